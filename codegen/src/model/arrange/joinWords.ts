import type { JoinAsked } from "../../contract/index.js";
import { DEFAULT_QUEUE } from "../topology/index.js";

/** `4 threads`, `1 thread`. */
export const threadWords = (count: number): string => `${count} ${count === 1 ? "thread" : "threads"}`;

/** What stands before a stage, for people: `pool front`, `4 threads of its own`, `no join`. */
export function joinWords(join: JoinAsked | null): string {
  if (join === null) return "no join";
  if ("pool" in join) return `pool ${join.pool}`;
  const threads = join.threads === "cached" ? "cached threads" : threadWords(join.threads);
  const queue = join.queue === undefined || join.queue === DEFAULT_QUEUE ? "" : `, queue ${join.queue}`;
  const overflow = join.overflow === undefined || join.overflow === "block" ? "" : `, ${join.overflow}`;
  return `${threads} of its own${queue}${overflow}`;
}
