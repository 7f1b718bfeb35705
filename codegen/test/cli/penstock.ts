import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "../../src/model/diagnostics/index.js";
import { BUILDS_TOGETHER } from "../support/build.js";

export const BIN: string = fileURLToPath(new URL("../../bin/penstock.mjs", import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The real command line as a child process, with its own state folder. */
export class Penstock {
  readonly folder = mkdtempSync(path.join(tmpdir(), "penstock-cli-"));
  /** Where its binaries find each other: a short path, as names of sockets are. */
  readonly runtime = mkdtempSync("/tmp/penstock-");
  private readonly children = new Set<ChildProcess>();

  /** Starts a verb; `ended` has all it said. */
  start(
    args: readonly string[],
    options: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
  ): { child: ChildProcess; ended: Promise<Ended>; line: (holds: string) => Promise<string> } {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? this.folder,
      env: {
        ...process.env,
        ...BUILDS_TOGETHER,
        XDG_STATE_HOME: path.join(this.folder, "state"),
        XDG_RUNTIME_DIR: this.runtime,
        ...options.env,
      },
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    child.stdin?.end(options.input);
    this.children.add(child);
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve) =>
      child.on("close", (code) => {
        this.children.delete(child);
        resolve({ code, stdout, stderr });
      }),
    );
    /** The first stdout line that holds a text; rejects when the process ends without it. */
    const line = (holds: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = stdout.split("\n").find((one) => one.includes(holds));
          if (found !== undefined) resolve(found);
        };
        child.stdout?.on("data", look);
        void ended.then((end) => reject(new Error(`ended without ${holds}: ${JSON.stringify(end)}`)));
        look();
      });
    return { child, ended, line };
  }

  run(
    args: readonly string[],
    options: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
  ): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** A folder with this text as its topology.json. */
  project(name: string, topology: string | object): string {
    const dir = mkdtempSync(path.join(this.folder, `${name}-`));
    writeFileSync(
      path.join(dir, "topology.json"),
      typeof topology === "string" ? topology : JSON.stringify(topology, undefined, 2),
    );
    this.trust(dir);
    return dir;
  }

  /**
   * What `penstock init` remembers of a project made here: it is built and run without a question, and
   * without a fence. `own` false: what a yes to a project from elsewhere is remembered as.
   */
  trust(dir: string, own = true): void {
    const root = realpathSync(dir);
    const key = createHash("sha256").update(path.dirname(root)).digest("hex").slice(0, 20);
    const folder = path.join(this.folder, "state", "penstock", "workspaces", key);
    const { dev, ino } = statSync(root);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, "trust.json");
    // What the product itself has remembered stays.
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { folder: string }[]) : [];
    const others = known.filter((one) => one.folder !== root);
    writeFileSync(file, JSON.stringify([...others, { folder: root, dev, ino, own }]), { mode: 0o600 });
  }

  /** Ends what a failed test left running and removes the folder. */
  async cleanUp(): Promise<void> {
    const left = [...this.children];
    for (const child of left) child.kill("SIGKILL");
    await Promise.all(left.map((child) => new Promise((resolve) => child.on("close", resolve))));
    for (const folder of [this.folder, this.runtime]) rmSync(folder, { recursive: true, force: true });
  }
}

export interface Document extends Record<string, unknown> {
  ok: boolean;
  problems: Problem[];
}

/** What was said as JSON, one a line; the last line may still be on its way. */
export const eventsOf = <T = Record<string, unknown>>(stdout: string): T[] =>
  stdout
    .slice(0, stdout.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

/** stdout as the one document that `--json` promises. */
export function documentOf({ stdout }: Ended): Document {
  const document = JSON.parse(stdout) as Document;
  if (typeof document.ok !== "boolean" || !Array.isArray(document.problems))
    throw new Error(`no document: ${stdout}`);
  return document;
}
