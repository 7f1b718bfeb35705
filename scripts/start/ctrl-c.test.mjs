import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { signIn } from "./client.mjs";

const repository = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** The group's leader takes its children along, whatever groups of their own they have. */
const signalGroup = (child, signal) => process.kill(-Number(child.pid), signal);

/** `npm start` as a terminal runs it: a process group of its own, which Ctrl-C signals as a whole. */
function startInGroup(folder) {
  const args = ["start", "--", "--headless", "--port", "0", "--no-example", "--workspace", folder];
  return spawn("npm", args, {
    cwd: repository,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, XDG_STATE_HOME: path.join(folder, "state") },
  });
}

test("Ctrl-C on npm start takes the designer's server along", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-start-"));
  const child = startInGroup(folder);
  const ended = once(child, "close");
  try {
    let address;
    for await (const line of readline.createInterface({ input: child.stdout })) {
      address = /http:\S+#code=\S+/.exec(line)?.[0];
      if (address !== undefined) break;
    }
    const client = await signIn(address);
    expect((await fetch(`${client.base}/healthz`)).status).toBe(200);
    signalGroup(child, "SIGINT");
    await ended;
    await expect(fetch(`${client.base}/healthz`)).rejects.toThrow("fetch failed");
  } finally {
    if (child.exitCode === null && child.signalCode === null) signalGroup(child, "SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
});
