import { isSameProcess } from "../process/index.js";
import { noteAsked, removeAnswered, type StartedBinary } from "./running/registry.js";
import { STOP_GRACE_MS } from "./supervisor.js";

/**
 * Stops a binary that another process started: SIGTERM to it, SIGKILL to its group after
 * `graceMs`. Resolves when it is gone; true when it went by itself.
 */
export async function stopRunning(entry: StartedBinary, graceMs = STOP_GRACE_MS): Promise<boolean> {
  const alive = (): boolean => isSameProcess(entry.pid, entry.startTime);
  if (!alive()) return true;
  // Who supervises it sees by that that this end was asked for, and does not restart it.
  await noteAsked(entry);
  signal(entry.pid, "SIGTERM");
  const graceful = await goneWithin(alive, graceMs);
  if (!graceful) {
    signal(-entry.group, "SIGKILL");
    await goneWithin(alive, 2_000);
  }
  await removeAnswered();
  return graceful;
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // Gone in this very moment.
  }
}

/** Nobody but the parent is told of a process's end: others have to look. */
async function goneWithin(alive: () => boolean, milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  while (alive()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}
