import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { readReadyLine } from "../output/readyLine.js";

/** A process of a binary that nobody supervises, as a person or systemd starts it. */
export interface StartedByHand {
  pid: number;
  control: string;
  /** It still runs. */
  isAlive: () => boolean;
  end(): Promise<void>;
}

/** Starts a binary with its configuration and a control token, and waits for its ready line. */
export async function startByHand(
  { executable, config }: { executable: string; config: string },
  options: { binary: string; token: string; env?: NodeJS.ProcessEnv },
): Promise<StartedByHand> {
  const child = spawn(executable, ["--config", config], {
    env: { ...process.env, ...options.env, PENSTOCK_CONTROL_TOKEN: options.token },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stdout)) {
    const ready = readReadyLine(line, options.binary);
    if (ready === null) continue;
    child.stdout.resume();
    return {
      pid: ready.pid,
      control: ready.control,
      isAlive: () => child.exitCode === null && child.signalCode === null,
      end: async () => {
        child.kill("SIGKILL");
        await ended;
      },
    };
  }
  throw new Error(`${executable} ended before it was ready`);
}

/**
 * A control address of a port that the system gives nobody who leaves the choice to it: whoever ends there finds it free
 * when it starts again.
 */
export async function ownAddress(): Promise<string> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 8_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return `127.0.0.1:${port}`;
  }
}

/** A port of this host that leads to an address, as `ssh -L` makes one. */
export async function forwarded(control: string): Promise<{ control: string; close(): void }> {
  const port = Number(control.slice(control.lastIndexOf(":") + 1));
  const server = createServer((near) => {
    const far = createConnection(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { control: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
