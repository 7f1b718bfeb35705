import { readFileSync } from "node:fs";
import type { ProcessGroup } from "./group.js";
import { membersOf, signalProcess } from "./members.js";

const LOOK_MS = 100;
/** So many times too many, and processes may be made faster than they are counted. */
const BURST = 4;

/** Tasks of the whole system, threads included, from one small file; undefined while it cannot be read. */
function tasksOfSystem(): number | undefined {
  try {
    // "0.10 0.20 0.30 1/234 5678": running and all tasks before the last pid.
    return Number(readFileSync("/proc/loadavg", "utf8").split(" ")[3]?.split("/")[1] ?? 0);
  } catch {
    // No file descriptor is left: the next look may have one.
    return undefined;
  }
}

/**
 * Kills a group that has more than `most` processes, all of them at once, and says how many it found:
 * the kernel's own limit (`Limits.processes`) does not hold root, and leaves what there is running.
 * Costs one small read as long as the number of tasks of the system stays as it is. Returns what ends
 * the watch.
 */
export function watchCrowd(
  group: ProcessGroup,
  most: number,
  onTooMany: (count: number) => void,
): () => void {
  let others = tasksOfSystem() ?? 0;
  const timer = setInterval(() => {
    const tasks = tasksOfSystem();
    if (tasks === undefined) return;
    others = Math.min(others, tasks);
    if (tasks - others <= most) return;
    // What forks without end takes the time to count it, too: it stands still meanwhile.
    const burst = tasks - others > BURST * most;
    if (burst) group.signal("SIGSTOP");
    const members = membersOf(group.pid);
    const count = members.length;
    others = tasks - count;
    if (count > most) {
      clearInterval(timer);
      // A fork that is under way does not escape it: the kernel starts that fork anew after the signal.
      group.signal("SIGKILL");
      // Those that have left the group are not reached by it.
      for (const pid of members) signalProcess(pid, "SIGKILL");
      onTooMany(count);
    } else if (burst) group.signal("SIGCONT");
  }, LOOK_MS);
  return () => clearInterval(timer);
}
