import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { Obstacle } from "../setup/report.mjs";

/** One that cannot start ends by itself: this is for one that hangs, on a machine however slow. */
const READY_WITHIN = 600_000;
const STOP_WITHIN = 10_000;

/** Below the ports that the system gives to whoever asks for any. */
const PORTS = { from: 20_000, count: 12_000 };

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** A port of the loopback that nobody listens on just now, nor comes upon by chance before it is used. */
export async function freePort() {
  for (;;) {
    const port = PORTS.from + randomInt(PORTS.count);
    if (await isFree(port)) return port;
  }
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
