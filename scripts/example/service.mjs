import { spawn } from "node:child_process";
import { createServer } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { Obstacle } from "../setup/report.mjs";

const READY_WITHIN = 60_000;
const STOP_WITHIN = 10_000;

/** A port of the loopback that nobody listens on just now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function isReady(ready) {
  try {
    return await ready();
  } catch {
    return false;
  }
}

/**
 * Starts a program and waits until `ready()` resolves with true. `stop()` ends it by its process id.
 * @throws {Obstacle} when it ends, or is not ready in time
 */
export async function startService(name, program, args, ready) {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let words = "";
  child.stderr.on("data", (chunk) => (words = (words + chunk).slice(-4000)));
  const ended = new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", resolve);
  });
  const alive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = () => alive() && child.kill("SIGKILL");
  process.on("exit", kill);
  const stop = async () => {
    if (alive()) child.kill("SIGTERM");
    const killer = setTimeout(kill, STOP_WITHIN);
    await ended;
    clearTimeout(killer);
    process.off("exit", kill);
  };
  const end = performance.now() + READY_WITHIN;
  while (alive() && performance.now() < end) {
    if (await isReady(ready)) return { pid: child.pid, stop };
    await sleep(50);
  }
  await stop();
  throw new Obstacle(`${name} does not start:\n${words}`, "npm run setup -- --test");
}
