import { readFileSync } from "node:fs";

/** How many file descriptors this process may have open (the soft limit). */
export function openFileLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1024);
  } catch {
    return 1024;
  }
}
