import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import type { Writable } from "node:stream";
import { findProgram } from "./findProgram.js";
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
  /** Told of each step before the program's first instruction; tests end this process there. */
  onStep?: (step: "spawned" | "guarded", group: number) => void;
}

/** How long the pipes' end is waited for after the leader's; what is in them is read in any case. */
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
 * Leads the group until its guard knows of it, then becomes the program. End of file instead of the word: this
 * process has died, and nothing was started.
 */
const LAUNCHER = 'read -r word <&3 && exec "$@" 3<&-';
const WORD = 3;

/** A child that waits for the word on a pipe of its own. Rejects as `spawn` does where the program cannot be run. */
async function spawnWaiting(command: string, args: string[], options: SpawnOptions): Promise<ChildProcess> {
  const path = options.env === undefined ? undefined : (options.env["PATH"] ?? "");
  const program = await findProgram(command, path);
  if (program === undefined)
    throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: "ENOENT", path: command });
  const { stdio = "pipe" } = options;
  const streams = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  return spawn("/bin/sh", ["-c", LAUNCHER, "penstock-launcher", program, ...args], {
    ...options,
    stdio: [...streams.slice(0, WORD), "pipe"] as SpawnOptions["stdio"] & unknown[],
    detached: true,
  });
}

/** The guard knows: the program may begin. */
function giveWord(child: ChildProcess): void {
  const pipe = child.stdio[WORD] as Writable;
  // It may have been killed meanwhile.
  pipe.on("error", () => undefined);
  pipe.end("go\n", () => pipe.destroy());
}

/**
 * Starts a program in its own process group that dies with this process (unless `outlives`): from before its first
 * instruction on, with all that it starts. Rejects when the program cannot be started (ENOENT, EAGAIN ...).
 */
export async function spawnGroup(
  command: string,
  args: string[],
  options: GroupOptions,
): Promise<ProcessGroup> {
  const { outlives = false, onStep, ...spawnOptions } = options;
  if (!outlives) prepareGuard();
  const child = outlives
    ? spawn(command, args, { ...spawnOptions, detached: true })
    : await spawnWaiting(command, args, spawnOptions);
  let leaderPid = 0;
  const exited = new Promise<GroupExit>((resolve) => {
    child.once("exit", (code, signal) => {
      if (!outlives) {
        // What the leader left behind goes with it.
        signalGroup(leaderPid, "SIGKILL");
        unguardGroup(leaderPid);
      }
      // A process that left the group may keep the pipes open for ever: do not wait for it. After a standstill of
      // this machine the timer comes before what waits in the pipes: read that first.
      const timer = setTimeout(() => setImmediate(() => resolve({ code, signal })), PIPE_DRAIN_MS);
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
  if (!outlives) {
    onStep?.("spawned", pid);
    await guardGroup(pid);
    // Killed before it began: its number may soon be another's.
    if (child.exitCode !== null || child.signalCode !== null) unguardGroup(pid);
    onStep?.("guarded", pid);
    giveWord(child);
  }
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
