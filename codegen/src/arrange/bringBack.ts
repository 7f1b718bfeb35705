import { threadWords, type Command, type LiveSchema } from "../contract/index.js";
import type { ThreadRange, Topology } from "../model/topology/index.js";
import type { AskBinary } from "./rearrange.js";

/** A pool before its threads are changed, with what that lets rest (decisions 0056 and 0059). */
export interface PoolBefore {
  pool: string;
  threads: number;
  /** Within which its controller was at work; null: it was not, or there is none. */
  bounds: ThreadRange | null;
  /** The flows and services whose rules, about this pool, were at work. */
  rules: readonly string[];
}

/** Of a running pool, now. What presets are about is drawn; one that the drawing does not know may be about it. */
export function poolBefore(
  { pools, rules = [] }: LiveSchema,
  pool: string,
  topology: Topology | undefined,
  binary: string,
): PoolBefore {
  const { threads = [], adaptive } = pools.find(({ name }) => name === pool) ?? {};
  const presets = topology?.binaries.find(({ name }) => name === binary)?.presets ?? [];
  const isAbout = (preset: string): boolean =>
    presets.find(({ name }) => name === preset)?.pools.some(({ name }) => name === pool) ?? true;
  return {
    pool,
    threads: threads.length,
    bounds: adaptive?.on === true ? { from: adaptive.from, to: adaptive.to } : null,
    rules: rules
      .filter(({ on, below, above }) => on && (isAbout(below.preset) || isAbout(above.preset)))
      .map(({ of }) => of),
  };
}

/** `2 to 32 threads`. */
export const boundsWords = ({ from, to }: ThreadRange): string => `${from} to ${threadWords(to)}`;

/** What brings a pool back, in order: a controller that is put to work lets rules rest. With what each is for, for people. */
export function waysBack({ pool, threads, bounds, rules }: PoolBefore): { ask: Command; what: string }[] {
  const ways: { ask: Command; what: string }[] = [
    { ask: { method: "pool.resize", params: { pool, threads } }, what: threadWords(threads) },
  ];
  if (bounds !== null)
    ways.push({
      ask: { method: "pool.adapt", params: { pool, adapt: true } },
      what: `${boundsWords(bounds)} that come and go`,
    });
  for (const rule of rules)
    ways.push({ ask: { method: "rule.set", params: { rule, on: true } }, what: `the rule of ${rule}` });
  return ways;
}

/** What came of bringing a pool back, for people. */
export interface BroughtBack {
  isAsBefore: boolean;
  words: string;
}

/** Brings a pool back to what it was, and what rests since to work. What was refused, and what comes behind it, is told. */
export async function bringBack(ask: AskBinary, before: PoolBefore): Promise<BroughtBack> {
  const { pool } = before;
  const ways = waysBack(before);
  for (const [at, way] of ways.entries())
    try {
      await ask(way.ask);
    } catch (error) {
      const left = ways.slice(at).map(({ what }) => what);
      const why = error instanceof Error ? error.message : String(error);
      const words = `${pool} is not as it was: ${why}. Not brought back: ${left.join(", ")}`;
      return { isAsBefore: false, words };
    }
  return { isAsBefore: true, words: `${pool} is as it was` };
}
