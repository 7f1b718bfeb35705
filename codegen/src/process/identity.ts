import { readFileSync } from "node:fs";

/**
 * Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat), or null when
 * there is no such process. With the pid it names one process for ever: pids are used again,
 * pairs are not.
 */
export function processStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name stands in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return null;
    return fields[19] ?? null;
  } catch {
    return null;
  }
}

/** True while exactly this process is alive (a zombie is not). */
export const isSameProcess = (pid: number, startTime: string): boolean => processStartTime(pid) === startTime;
