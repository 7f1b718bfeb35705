import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CONTROL_TOKEN } from "./build.js";

const RUNTIME = fileURLToPath(new URL("../../../runtime-cpp", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../../build/runtime/plain/penstock_bad_wire", import.meta.url));

/** What the wire does to packets, each way; shares are in a thousand. What is not named is 0. */
export interface WireFaults {
  lost?: number;
  doubled?: number;
  reordered?: number;
  /** With `sums` 1 the sum of TCP is made right: whoever gets them is to notice. */
  corrupted?: number;
  sums?: 0 | 1;
  "delay-ms"?: number;
  /** Thousands of bits a second; 0: as many as there are. */
  kbit?: number;
  cut?: 0 | 1;
  /** Of both ends; 1500 where it is not named. */
  mtu?: number;
}

/** A binary on one of the two hosts. */
export interface OnHost {
  metrics(): string;
  /** Bytes of memory that it has now. */
  memory(): number;
  /** What it said on standard error so far. */
  said(): string;
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>;
}

/** Two hosts, 10.99.0.1 and 10.99.0.2, with a bad wire between them: network namespaces of this machine. */
export class BadWire {
  private constructor(
    private readonly wire: ChildProcess,
    private readonly lines: Interface,
    private readonly hosts: readonly string[],
    private readonly folder: string,
    private readonly binaries: ChildProcess[] = [],
  ) {}

  /** Builds what passes the packets on, and starts it. Needs the rights of root. */
  static async open(seed: number): Promise<BadWire> {
    if (process.getuid?.() !== 0)
      throw new Error("two hosts on one machine take the rights of root: run this as root");
    const build = (args: readonly string[]) => execFileSync("cmake", args, { cwd: RUNTIME, stdio: "pipe" });
    build(["--preset", "plain"]);
    build(["--build", "--preset", "plain", "--target", "penstock_bad_wire"]);
    const wire = spawn(PROGRAM, [String(seed)], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface(wire.stdout);
    const [ready] = (await once(lines, "line")) as [string];
    return new BadWire(wire, lines, ready.split(" ").slice(1), mkdtempSync("/tmp/penstock-wire-"));
  }

  async set(faults: WireFaults): Promise<void> {
    const words = Object.entries(faults).map(([name, value]) => `${name}=${value}`);
    this.wire.stdin?.write(`${words.join(" ")}\n`);
    const [answer] = (await once(this.lines, "line")) as [string];
    if (answer !== "ok") throw new Error(`the wire says ${answer}`);
  }

  /** What it takes to run something on a host. */
  private on(host: 1 | 2): string[] {
    return [`--net=/proc/${this.hosts[host - 1]}/ns/net`];
  }

  async start(host: 1 | 2, dir: string, binary: string): Promise<OnHost> {
    const child = spawn("nsenter", [...this.on(host), `${dir}/build/release/${binary}`, "--relax-pins"], {
      cwd: dir,
      env: {
        ...process.env,
        PENSTOCK_CONTROL_TOKEN: CONTROL_TOKEN,
        PENSTOCK_DRAIN_MS: "300000",
        PENSTOCK_KEYS: `${dir}/keys`,
        PENSTOCK_RUN: `${this.folder}/${host}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.binaries.push(child);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const exited = once(child, "close") as Promise<[number | null]>;
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), "line"),
      exited.then(([code]) => Promise.reject(new Error(`${binary} ended with ${code}: ${said}`))),
    ])) as [string];
    const { control } = JSON.parse(line) as { control: string };
    const ask = [
      "fetch(process.argv[1], { headers: { authorization: `Bearer ${process.argv[2]}` } })",
      ".then((answer) => answer.text()).then((text) => process.stdout.write(text))",
    ].join("");
    const words = ["--eval", ask, `http://${control}/metrics`, CONTROL_TOKEN];
    const metrics = (): string =>
      execFileSync("nsenter", [...this.on(host), process.execPath, ...words], { encoding: "utf8" });
    return {
      metrics,
      memory: () => Number(/^penstock_process_resident_memory_bytes (\d+)/m.exec(metrics())?.[1]),
      said: () => said,
      stop: async () => {
        child.kill("SIGTERM");
        return (await exited)[0];
      },
    };
  }

  /** Ends what still runs on the hosts. */
  async endBinaries(): Promise<void> {
    const running = this.binaries.splice(0).filter((one) => one.exitCode === null && one.signalCode === null);
    await Promise.all(
      running.map((binary) => {
        const ended = once(binary, "close");
        binary.kill("SIGKILL");
        return ended;
      }),
    );
  }

  /** Ends the hosts, with what runs there. */
  async close(): Promise<void> {
    await this.endBinaries();
    this.wire.stdin?.end();
    if (this.wire.exitCode === null) await once(this.wire, "close");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
