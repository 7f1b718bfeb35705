import { z } from "zod";
import { MOST_THREADS } from "./limits.js";

export const threadSchema = z.strictObject({ cpus: z.array(z.int()).optional() });
export type Thread = z.infer<typeof threadSchema>;

/** So many threads alike, as they are written. */
export const threadsAlikeSchema = z.strictObject({
  /** Left out: 1. */
  count: z.int().optional(),
  cpus: z.array(z.int()).optional(),
});
type ThreadsAlike = z.infer<typeof threadsAlikeSchema>;

/** As many threads as there is work for, within these bounds; the pool starts with `from`. */
export const threadRangeSchema = z.strictObject({
  from: z.int(),
  to: z.int(),
  /** Which of them would be pinned is not known: a rule refuses it. */
  cpus: z.array(z.int()).optional(),
});
export type ThreadRange = z.infer<typeof threadRangeSchema>;
/** Of a pool: one object a thread, or bounds. */
export type Threads = readonly Thread[] | Readonly<ThreadRange>;

/** True of a pool that gets more threads and loses them again by itself. */
export const isThreadRange = (threads: Threads): threads is Readonly<ThreadRange> => !Array.isArray(threads);

/** Threads that are there when the binary starts. */
export const threadCount = (threads: Threads): number =>
  isThreadRange(threads) ? threads.from : threads.length;

/** The same as a list; of a range that is out of bounds as many as a pool can have. */
export const threadList = (threads: Threads): readonly Thread[] =>
  isThreadRange(threads)
    ? Array.from({ length: Math.min(Math.max(threads.from, 0), MOST_THREADS) }, (): Thread => ({}))
    : threads;

/** How many, in figures: `4`, `2-32`. */
export const threadFigures = (threads: Threads): string =>
  isThreadRange(threads) ? `${threads.from}-${threads.to}` : String(threads.length);

/** One thread of a pool, counted from 0: `models·2` is its third. Never how many there are. */
export const threadName = (pool: string, thread: number): string => `${pool}·${thread}`;

/** A pool and how many threads it has: `models ×3`, `models ×2-32`. Never one of them. */
export const sizedPool = (pool: string, threads: Threads): string => `${pool} ${timesThreads(threads)}`;

/** The count alone, where the pool's name stands beside it. */
export const timesThreads = (threads: Threads | number): string =>
  `×${typeof threads === "number" ? threads : threadFigures(threads)}`;

const threadsAsWritten = [z.int(), z.array(threadsAlikeSchema)] as const;
type Written = number | ThreadsAlike[];

/** One object a thread, whichever way the number or list was written; undefined, and an issue, when there are too many. */
function unfolded(listed: Written, context: z.core.ParsePayload): Thread[] | undefined {
  const list = typeof listed === "number" ? (listed === 0 ? [] : [{ count: listed }]) : listed;
  const bad = list.find(({ count = 1 }) => count < 1 || count > MOST_THREADS)?.count;
  const all = list.reduce((sum, { count = 1 }) => sum + count, 0);
  // A list that has an object for each of too many is no danger, and left to the rules.
  if (bad === undefined && (all <= MOST_THREADS || all === list.length))
    return list.flatMap(({ count = 1, cpus }) =>
      Array.from({ length: count }, (): Thread => (cpus === undefined ? {} : { cpus: [...cpus] })),
    );
  const message = `${bad ?? all} threads, not 1 to ${MOST_THREADS}`;
  context.issues.push({ code: "custom", message, input: listed });
  return undefined;
}

/** Threads as a number, or a list whose objects may say how many of them are alike; printed with as few as say it. */
export const threadsSchema = z.codec(z.union(threadsAsWritten), z.array(threadSchema), {
  decode: (listed, context) => unfolded(listed, context) ?? z.NEVER,
  encode: folded,
});

/** The threads of a pool, which may be bounds as well. */
export const poolThreadsSchema = z.codec(
  z.union([...threadsAsWritten, threadRangeSchema]),
  z.union([z.array(threadSchema), threadRangeSchema]),
  {
    decode: (listed, context) =>
      typeof listed === "number" || Array.isArray(listed) ? (unfolded(listed, context) ?? z.NEVER) : listed,
    encode: (threads) => (isThreadRange(threads) ? threads : folded(threads)),
  },
);

function folded(threads: readonly Thread[]): Written {
  const alike: { cpus: readonly number[]; count: number }[] = [];
  for (const { cpus = [] } of threads) {
    const last = alike.at(-1);
    if (last !== undefined && last.cpus.join() === cpus.join()) last.count += 1;
    else alike.push({ cpus, count: 1 });
  }
  const [first] = alike;
  if (alike.length === 1 && first !== undefined && first.cpus.length === 0) return first.count;
  return alike.map(({ cpus, count }) => ({
    ...(count > 1 ? { count } : {}),
    ...(cpus.length > 0 ? { cpus: [...cpus] } : {}),
  }));
}
