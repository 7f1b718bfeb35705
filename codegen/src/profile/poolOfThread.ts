import type { RecordedNames } from "./recordedNames.js";

/** The kernel keeps so much of a thread's name. */
const LONGEST = 15;

/** What the runtime calls a thread of a pool (exec/affinity.cpp): its number is kept, the pool's name is cut for it. */
function threadOf(pool: string, number: string): string {
  const suffix = `-${number}`;
  return pool.slice(0, LONGEST - suffix.length) + suffix;
}

/**
 * Threads of a pool are one: `models-17` is one of `models`, and so is `production-l-12` one of `production-line`. Of pools
 * whose names are the same as far as a thread says them, and which both have one of its number, all are named.
 */
export function poolOfThread(thread: string, pools: RecordedNames["pools"]): string {
  const number = /-(\d+)$/.exec(thread)?.[1];
  if (number === undefined) return thread;
  const named = pools.filter(({ name }) => threadOf(name, number) === thread);
  const listed = named.filter(({ threads }) => threads === undefined || threads.includes(thread));
  const found = listed.length > 0 ? listed : named;
  return found.map(({ name }) => name).join(" or ") || thread.slice(0, -number.length - 1);
}
