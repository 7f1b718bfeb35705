import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

/** A binary that a person has started, who knows its token. */
export interface ByHand {
  control: string;
  /** Its name once it is attached. */
  name: string;
  isAlive(): boolean;
  end(): Promise<void>;
}

/** Starts a binary that was built in a project, with its generated configuration, and waits until it is ready. */
export async function startByHand(project: string, binary: string, token: string): Promise<ByHand> {
  const config = path.join(project, `generated/config/${binary}.json`);
  const child = spawn(path.join(project, "build/release", binary), ["--config", config], {
    env: { ...process.env, PENSTOCK_CONTROL_TOKEN: token, PENSTOCK_RUN: path.join(project, "elsewhere") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes('"ready"')) continue;
    child.stdout.resume();
    const { control } = JSON.parse(line) as { control: string };
    return {
      control,
      name: `${binary}@${control.slice(control.lastIndexOf(":") + 1)}`,
      isAlive: () => child.exitCode === null && child.signalCode === null,
      end: async () => {
        child.kill("SIGKILL");
        await ended;
      },
    };
  }
  throw new Error(`${binary} ended before it was ready`);
}
