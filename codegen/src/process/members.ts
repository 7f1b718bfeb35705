import { readdirSync, readFileSync } from "node:fs";

interface Stat {
  state: string;
  parent: number;
  group: number;
}

function statOf(pid: number): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name stands in parentheses and may hold spaces and parentheses itself.
    const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent), group: Number(group) };
  } catch {
    return null;
  }
}

const allPids = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Process group of a process, or null when there is none. */
export const groupOf = (pid: number): number | null => statOf(pid)?.group ?? null;

/** False when there is no such process any more. */
export function signalProcess(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Living processes of a group, by every process's own word in /proc, and those that their members have started and
 * that have left it for a session of their own.
 */
export function membersOf(group: number): number[] {
  const stats = new Map(
    allPids().flatMap((pid) => {
      const stat = statOf(pid);
      return stat === null ? [] : [[pid, stat] as const];
    }),
  );
  const known = new Map<number, boolean>();
  const belongs = (pid: number): boolean => {
    const way: number[] = [];
    let found = false;
    for (let at = pid; ; at = stats.get(at)!.parent) {
      const stat = stats.get(at);
      found = known.get(at) ?? stat?.group === group;
      way.push(at);
      // A pid that was used again meanwhile could close a circle.
      if (found || known.has(at) || stat === undefined || way.length > stats.size) break;
    }
    for (const each of way) known.set(each, found);
    return found;
  };
  return [...stats].filter(([pid, { state }]) => state !== "Z" && belongs(pid)).map(([pid]) => pid);
}

/** What a process is called where it runs: another number than here behind a fence with process ids of its own. */
function ownNumber(pid: number): number | null {
  try {
    const line = /^NSpid:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(line?.trim().split(/\s+/).at(-1) ?? pid);
  } catch {
    return null;
  }
}

/** The process of a group that calls itself `own`, by the number it has here; undefined when there is none. */
export const processOfGroup = (group: number, own: number): number | undefined =>
  allPids().find((pid) => groupOf(pid) === group && ownNumber(pid) === own);

/** What living processes, as far as they are this user's, were started with as the value of a variable. @throws where /proc says nothing */
export function valuesOfVariable(name: string): Set<string> {
  const values = new Set<string>();
  const start = `${name}=`;
  for (const pid of allPids()) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const found = variables.find((one) => one.startsWith(start));
      if (found !== undefined) values.add(found.slice(start.length));
    } catch {
      // Of another user, or gone meanwhile.
    }
  }
  return values;
}
