import type { Command, LiveSchema } from "../contract/index.js";
import type { Join, Thread } from "../model/topology/index.js";
import { threadLayoutOf, type ThreadLayout } from "./threadLayout.js";
import { differences, type Difference } from "./differences.js";

/** Carries a command out on the running binary; rejects when it is refused. */
export type AskBinary = (ask: Command) => Promise<unknown>;

const cpusOf = (thread: Thread | undefined): number[] => [...(thread?.cpus ?? [])];

/** A join as a command; null takes it out. */
export const askJoin = (flow: string, stage: string, join: Join | null): Command =>
  join === null
    ? { method: "join.remove", params: { flow, stage } }
    : { method: "join.set", params: { flow, stage, join } };

/** The commands that bring a difference into force, in order. */
export function asksFor(difference: Difference): Command[] {
  if (difference.of === "join") return [askJoin(difference.flow, difference.stage, difference.to)];
  const { pool, from, to } = difference;
  return [
    ...(from.length === to.length
      ? []
      : [{ method: "pool.resize" as const, params: { pool, threads: to.length } }]),
    ...to.flatMap((thread, index): Command[] => {
      const cpus = cpusOf(thread);
      const before = cpusOf(from[index]);
      if (cpus.length === before.length && cpus.every((cpu) => before.includes(cpu))) return [];
      return [{ method: "pool.pin", params: { pool, thread: index, cpus } }];
    }),
  ];
}

const reversed = (difference: Difference): Difference =>
  ({ ...difference, from: difference.to, to: difference.from }) as Difference;

/** Pools that grow come first and pools that shrink last, so that no stage is short of threads in between. */
function rank(difference: Difference): number {
  if (difference.of === "join") return 1;
  return difference.to.length >= difference.from.length ? 0 : 2;
}

/**
 * Brings every difference into force, or none: what a rule refuses while others still stand in its way
 * is asked again after them; when one is refused for good, those in force are taken back (last one first)
 * and the refusal is thrown. Resolves when all are in force.
 */
export async function rearrange(ask: AskBinary, wanted: readonly Difference[]): Promise<void> {
  const done: Difference[] = [];
  const bring = async (difference: Difference): Promise<void> => {
    for (const one of asksFor(difference)) await ask(one);
  };
  let waiting = wanted.toSorted((a, b) => rank(a) - rank(b));
  while (waiting.length > 0) {
    const refused: { difference: Difference; reason: unknown }[] = [];
    for (const difference of waiting)
      try {
        await bring(difference);
        done.push(difference);
      } catch (reason) {
        refused.push({ difference, reason });
      }
    if (refused.length === waiting.length) {
      // A pool may have been resized and only its pin refused: it goes back as well.
      const half = refused.map(({ difference }) => difference).filter(({ of }) => of === "pool");
      for (const back of [...done, ...half].toReversed().map(reversed))
        await bring(back).catch(() => undefined);
      throw refused[0]?.reason;
    }
    waiting = refused.map(({ difference }) => difference);
  }
}

/** The same for a whole layout of threads; resolves with what was different and is in force now. */
export async function arrange(
  ask: AskBinary,
  schema: LiveSchema,
  wanted: ThreadLayout,
): Promise<Difference[]> {
  const different = differences(threadLayoutOf(schema), wanted);
  await rearrange(ask, different);
  return different;
}
