import {
  drawnThreadLayout,
  threadLayoutOf,
  differences,
  differenceWords,
  ownPoolOf,
  type Difference,
} from "@penstock/codegen/arrange";
import { rateTimes, type AdaptAsked, type LiveSchema } from "@penstock/codegen/contract";
import {
  DEFAULT_POOL,
  isThreadRange,
  plainPool,
  rateOf,
  ruledPresets,
  type Binary,
  type Topology,
  FASTEST_RATE,
} from "@penstock/codegen/topology";

/** A drawn change that the running binary can take at once. */
export interface PendingChange {
  binary: string;
  label: string;
  change:
    | Difference
    | { of: "rate"; flow: string; perSecond: number }
    | { of: "bounds"; pool: string; adapt: AdaptAsked };
}

/** What is drawn differently from what runs, by the binaries' own words about how they are set. */
export function pendingLive(
  topology: Topology,
  running: (binary: string) => LiveSchema | undefined,
  processesOf: (binary: string) => number = () => 1,
): PendingChange[] {
  return topology.binaries.flatMap((drawn): PendingChange[] => {
    const binary = drawn.name;
    const schema = running(binary);
    if (!schema) return [];
    const bounded = new Set(
      drawn.pools.flatMap(({ name, threads }) => (isThreadRange(threads) ? [name] : [])),
    );
    const ruled = ruledBy(drawn, schema);
    const arranged = differences(threadLayoutOf(schema), drawnThreadLayout(topology, drawn)).filter(
      // How many there are within bounds is the binary's to say, and which preset of a rule is in force.
      (change) => !(change.of === "pool" && bounded.has(change.pool)) && !ruled.has(nameOfChanged(change)),
    );
    return [
      ...arranged.map((change) => ({ binary, label: differenceWords(change), change })),
      ...bounds(drawn, schema).map((change) => ({ binary, ...change })),
      ...rates(topology, schema, processesOf(binary)).map((rate) => ({ binary, ...rate })),
    ];
  });
}

const nameOfChanged = (change: Difference): string =>
  change.of === "pool" ? change.pool : ownPoolOf(change.flow, change.stage);

/** The pools and slots of presets between which a rule has chosen. */
function ruledBy(drawn: Binary, schema: LiveSchema): ReadonlySet<string> {
  const chose = (schema.rules ?? []).filter(({ by }) => by === "rule");
  const names = new Set(chose.flatMap(({ below, above }) => [below.preset, above.preset]));
  return new Set(
    ruledPresets(drawn)
      .filter(({ name }) => names.has(name))
      .flatMap(({ pools, joins }) => [
        ...pools.map(({ name }) => name),
        ...joins.map(({ flow, stage }) => ownPoolOf(flow, stage)),
      ]),
  );
}

/** Pools whose threads are drawn to come and go otherwise than they do. */
function bounds(drawn: Binary, schema: LiveSchema): Omit<PendingChange, "binary">[] {
  return schema.pools.flatMap(({ name: pool, adaptive }): Omit<PendingChange, "binary">[] => {
    const threads = drawn.pools.find(({ name }) => name === pool)?.threads;
    if (threads === undefined || !isThreadRange(threads))
      return adaptive?.on && threads !== undefined
        ? [{ label: `${pool}: threads stay`, change: { of: "bounds", pool, adapt: false } }]
        : [];
    const { from, to } = threads;
    if (adaptive?.on && adaptive.from === from && adaptive.to === to) return [];
    const label = `${pool}: ${from} to ${to} threads`;
    return [{ label, change: { of: "bounds", pool, adapt: { from, to } } }];
  });
}

/** Rates of sources that are drawn differently: a source has its rate in each process, and they say that of all. */
function rates(topology: Topology, schema: LiveSchema, processes: number): Omit<PendingChange, "binary">[] {
  return schema.flows.flatMap(({ name: flow, source: now }) => {
    const source = topology.flows.find(({ name }) => name === flow)?.source;
    // A source that was drawn as another kind since it runs needs a build, its rate included.
    if (source?.kind !== now.kind) return [];
    const perSecond = rateTimes(rateToAsk(rateOf(source)), processes);
    if (rateToAsk(now.perSecond) === perSecond) return [];
    const label = `${flow}: ${rateWords(now.perSecond)} → ${rateWords(perSecond)}`;
    return [{ label, change: { of: "rate", flow, perSecond } }];
  });
}

/** Drawn or not it is there, and how many threads it has can be changed live. */
const BUILT_IN_POOL = JSON.stringify(plainPool(DEFAULT_POOL, []));

/** The drawing without what a running binary can be told: equal structures need no build. */
export function structureOf(topology: Topology): string {
  return JSON.stringify({
    ...topology,
    flows: topology.flows.map((flow) => ({
      ...flow,
      source: { ...flow.source, perSecond: undefined },
      stages: flow.stages.map((stage) => ({ ...stage, join: undefined })),
    })),
    binaries: topology.binaries.map((binary) => ({
      ...binary,
      presets: ruledPresets(binary),
      pools: binary.pools
        .map((pool) => ({ ...pool, threads: [] }))
        .filter((pool) => JSON.stringify(pool) !== BUILT_IN_POOL),
    })),
  });
}

/**
 * What a binary is told to keep to. A command always names a rate, so that no limit is the greatest one:
 * nobody reads lines as quickly, and none is held back.
 */
export const rateToAsk = (perSecond: number | null | undefined): number => perSecond ?? FASTEST_RATE;

/** `200/s`. */
export const rateWords = (perSecond: number | null | undefined): string =>
  rateToAsk(perSecond) === FASTEST_RATE ? "no limit" : `${perSecond}/s`;
