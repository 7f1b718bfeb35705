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

/**
 * The threads of a pool: a number, or a list whose objects may say how many of them are alike. A topology has one
 * object a thread, whichever way it was written; it is printed with as few as say it.
 */
export const threadsSchema = z.codec(z.union([z.int(), z.array(threadsAlikeSchema)]), z.array(threadSchema), {
  decode(written, context) {
    const list = typeof written === "number" ? (written === 0 ? [] : [{ count: written }]) : written;
    const bad = list.find(({ count = 1 }) => count < 1 || count > MOST_THREADS)?.count;
    const all = list.reduce((sum, { count = 1 }) => sum + count, 0);
    // A list that has an object for each of too many is no danger, and left to the rules.
    if (bad === undefined && (all <= MOST_THREADS || all === list.length))
      return list.flatMap(({ count = 1, cpus }) =>
        Array.from({ length: count }, (): Thread => (cpus === undefined ? {} : { cpus: [...cpus] })),
      );
    const message = `${bad ?? all} threads, not 1 to ${MOST_THREADS}`;
    context.issues.push({ code: "custom", message, input: written });
    return z.NEVER;
  },
  encode: written,
});

function written(threads: readonly Thread[]): number | ThreadsAlike[] {
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
