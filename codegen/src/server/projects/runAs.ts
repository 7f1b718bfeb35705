import {
  arrange,
  differenceWords,
  threadLayoutOf,
  type AskBinary,
  type ThreadLayout,
} from "../../arrange/index.js";
import type { LiveSchema } from "../../contract/index.js";
import type { FoundRates } from "../../run/index.js";

/**
 * Brings a process to the pools, joins and rates of another of its binary, or of its own before it ended; says in words
 * what was different. Rejects when one is refused: pools and joins are as they were then.
 *
 * @param found rates that a load found where it put others: those are none that somebody asked for
 */
export async function runAs(
  ask: AskBinary,
  now: LiveSchema,
  wanted: LiveSchema,
  found: FoundRates = {},
): Promise<string[]> {
  const changed = await arrange(ask, now, layoutToFollow(wanted));
  const words = changed.map(differenceWords);
  for (const { name: flow, source } of wanted.flows) {
    const perSecond = found[flow] ?? source.perSecond;
    const { source: own } = now.flows.find(({ name }) => name === flow) ?? {};
    if (perSecond === null || own === undefined || own.perSecond === perSecond) continue;
    await ask({ method: "source.set", params: { flow, perSecond } });
    words.push(`${flow}: ${own.perSecond}/s → ${perSecond}/s`);
  }
  return words;
}

/** Pools that a controller or a rule sizes are sized by those of each process. */
function layoutToFollow(schema: LiveSchema): ThreadLayout {
  const { pools, joins } = threadLayoutOf(schema);
  if (schema.rules?.some(({ on }) => on)) return { pools: [], joins: [] };
  const adapting = new Set(schema.pools.filter(({ adaptive }) => adaptive?.on).map(({ name }) => name));
  return { pools: pools.filter(({ name }) => !adapting.has(name)), joins };
}
