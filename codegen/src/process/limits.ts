import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

const PRLIMIT = "/usr/bin/prlimit";

export interface Limits {
  /** Address space of each process, in bytes. */
  memoryBytes?: number;
  /** Processes and threads of this user; the kernel does not hold root to it. */
  processes?: number;
}

/** The hard limit of this process as the kernel names it in /proc/self/limits; Infinity: none. */
function hardLimit(name: string, table: string): number {
  const line = table.split("\n").find((row) => row.startsWith(name));
  const hard = Number(line?.slice(name.length).trim().split(/\s+/)[1]);
  return Number.isFinite(hard) ? hard : Infinity;
}

/**
 * `command` started with limits, none above what this process itself is held to, and without core
 * files; as it is where `prlimit` is missing.
 */
export function withLimits(
  command: string[],
  limits: Limits,
  own: string = readFileSync("/proc/self/limits", "utf8"),
): string[] {
  if (!existsSync(PRLIMIT)) return command;
  const flags = ["--core=0"];
  const add = (flag: string, wanted: number | undefined, name: string) => {
    if (wanted !== undefined) flags.push(`--${flag}=${Math.min(wanted, hardLimit(name, own))}`);
  };
  add("as", limits.memoryBytes, "Max address space");
  add("nproc", limits.processes, "Max processes");
  return [PRLIMIT, ...flags, "--", ...command];
}

/** Processes and threads of this user now: what `Limits.processes` counts. */
export function tasksOfUser(uid = process.getuid?.() ?? 0): number {
  let tasks = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (statSync(`/proc/${pid}`).uid !== uid) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      tasks += Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[17]);
    } catch {
      // It ended meanwhile.
    }
  }
  return tasks;
}
