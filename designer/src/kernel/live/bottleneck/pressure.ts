import type { Bottleneck } from "./bottleneck.js";
import type { PoolFigures } from "../figures/figures.js";

/** How much of what is asked of a thing waits; "" is well. */
export type Pressure = "" | "warn" | "bad";

/** A queue is well up to 60 % of its places, to be watched up to 85 %, and in trouble above. */
export function fillPressure(queued: number, queue: number): Pressure {
  const fill = queue > 0 ? queued / queue : 0;
  return fill > 0.85 ? "bad" : fill > 0.6 ? "warn" : "";
}

/**
 * Of a pool. Work that waits or callers that are held up are trouble; threads that are busy are not: they are there
 * to be used, and a thread that sleeps in a blocking call counts as busy as well (the USE method keeps utilisation
 * and saturation apart for this reason: https://www.brendangregg.com/usemethod.html). Of one `thread` of it: what is
 * known to wait for another thread is no trouble of this one.
 */
export function poolPressure(
  pool: Pick<PoolFigures, "binary" | "pool" | "queued" | "queue" | "blocked">,
  bottlenecks: readonly Pick<Bottleneck, "binary" | "pool" | "thread">[],
  thread?: number,
): Pressure {
  const late = bottlenecks.filter((one) => one.binary === pool.binary && one.pool === pool.pool);
  const elsewhere = (one: Pick<Bottleneck, "thread">): boolean =>
    one.thread !== undefined && one.thread !== thread;
  if (thread !== undefined && late.length > 0 && late.every(elsewhere)) return "";
  return late.length > 0 || pool.blocked > 0 ? "bad" : fillPressure(pool.queued, pool.queue);
}
