import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Penstock } from "../cli/penstock.js";
import { BUILDS_TOGETHER, until } from "./build.js";

const SCRIPT = fileURLToPath(new URL("../../../scripts/example.mjs", import.meta.url));

/** Few: a machine that others use lets most of what is asked in a second run out of time. */
export const ANSWERS = 20;

/** Whether somebody listens on a port of this machine. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const give = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => give(true));
    socket.once("error", () => give(false));
  });

/**
 * Runs an example as `npm run example -- NAME --real` does until `service` answered more than ANSWERS times, then
 * presses Ctrl-C. What `asked` finds in its words are the ports of what is real: they answer while it
 * runs, and nobody does afterwards.
 */
export async function runReal(
  penstock: Penstock,
  name: string,
  example: { dir: string; service: string; env: Record<string, string>; asked: RegExp[] },
): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, name, "--real", "--project", example.dir], {
    // What is built already stays as it is; its toolchain is seen in the fence.
    env: {
      ...process.env,
      ...BUILDS_TOGETHER,
      XDG_STATE_HOME: path.join(penstock.folder, "state"),
      ...example.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (words += text));
  const exited = once(child, "exit");
  let ports: number[] = [];
  try {
    await until("it runs", () => Promise.resolve(/-server runs/.test(words) || child.exitCode !== null));
    const total = new RegExp(`"node":"service:${example.service}"[^}]*"total":(\\d+)`);
    await until(`${example.service} answered ${ANSWERS} times`, async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${words}`);
      const seen = await penstock.run(["monitor", example.dir, "--once", "--json"]);
      return Number(total.exec(seen.stdout)?.[1]) > ANSWERS;
    });
    ports = example.asked.map((pattern) => Number(pattern.exec(words)?.[1]));
    expect(await Promise.all(ports.map(answers)), words).toEqual(ports.map(() => true));
  } finally {
    child.kill("SIGINT");
  }
  // As every program that Ctrl-C ends.
  expect(await exited, words).toEqual([130, null]);
  expect(await Promise.all(ports.map(answers))).toEqual(ports.map(() => false));
}

export const MARIADB: RegExp = /MariaDB: mariadb:\/\/sample@127\.0\.0\.1:(\d+)\/sample/;
export const WIREMOCK: RegExp = /WireMock: port (\d+)/;
