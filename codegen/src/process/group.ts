import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { guardGroup, prepareGuard, unguardGroup } from "./guard.js";

export interface GroupExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child that leads a process group of its own; signals go to the whole group. */
export interface ProcessGroup {
  child: ChildProcess;
  /** The leader's pid, which is the group's id too. */
  pid: number;
  /** Resolves when the leader has ended and its pipes are closed. */
  exited: Promise<GroupExit>;
  /** Signals every process of the group; false when none is left. */
  signal(name: NodeJS.Signals): boolean;
  /** SIGTERM, then SIGKILL after `graceMs`; resolves when the leader has ended. */
  terminate(graceMs: number): Promise<GroupExit>;
}

export interface GroupOptions extends SpawnOptions {
  /** Leave it alive when this process dies. */
  outlives?: boolean;
}

/** How long output that is still in the pipes is waited for after the end. */
const PIPE_DRAIN_MS = 500;

function signalGroup(group: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(-group, name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a program in its own process group that dies with this process (unless `outlives`).
 * Rejects when the program cannot be started (ENOENT, EACCES, EAGAIN ...).
 */
export async function spawnGroup(
  command: string,
  args: string[],
  options: GroupOptions,
): Promise<ProcessGroup> {
  const { outlives = false, ...spawnOptions } = options;
  if (!outlives) prepareGuard();
  const child = spawn(command, args, { ...spawnOptions, detached: true });
  let leaderPid = 0;
  const exited = new Promise<GroupExit>((resolve) => {
    child.once("exit", (code, signal) => {
      if (!outlives) {
        // What the leader left behind goes with it.
        signalGroup(leaderPid, "SIGKILL");
        unguardGroup(leaderPid);
      }
      // A process that left the group may keep the pipes open for ever: do not wait for it.
      const timer = setTimeout(() => resolve({ code, signal }), PIPE_DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  child.on("error", () => undefined);
  const pid = child.pid as number;
  leaderPid = pid;
  if (!outlives) guardGroup(pid);
  return {
    child,
    pid,
    exited,
    signal: (name) => signalGroup(pid, name),
    async terminate(graceMs) {
      signalGroup(pid, "SIGTERM");
      const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMs);
      return exited.finally(() => clearTimeout(timer));
    },
  };
}
