import {
  drawnThreadLayout,
  threadLayoutOf,
  differences,
  differenceWords,
  type Difference,
} from "@penstock/codegen/arrange";
import type { LiveSchema } from "@penstock/codegen/contract";
import { DEFAULT_POOL, plainPool, rateOf, type Topology } from "@penstock/codegen/topology";
import { rateToAsk, rateWords } from "../live/sourceRate.js";

/** A drawn change that the running binary can take at once. */
export interface PendingChange {
  binary: string;
  label: string;
  change: Difference | { of: "rate"; flow: string; perSecond: number };
}

/** What is drawn differently from what runs, by the binaries' own words about how they are set. */
export function pendingLive(
  topology: Topology,
  running: (binary: string) => LiveSchema | undefined,
): PendingChange[] {
  return topology.binaries.flatMap((drawn): PendingChange[] => {
    const binary = drawn.name;
    const schema = running(binary);
    if (!schema) return [];
    const arranged = differences(threadLayoutOf(schema), drawnThreadLayout(topology, drawn));
    return [
      ...arranged.map((change) => ({ binary, label: differenceWords(change), change })),
      ...rates(topology, schema).map((rate) => ({ binary, ...rate })),
    ];
  });
}

/** Rates of sources that are drawn differently. */
function rates(topology: Topology, schema: LiveSchema): Omit<PendingChange, "binary">[] {
  return schema.flows.flatMap(({ name: flow, source: now }) => {
    const source = topology.flows.find(({ name }) => name === flow)?.source;
    // A source that was drawn as another kind since it runs needs a build, its rate included.
    if (source?.kind !== now.kind) return [];
    const perSecond = rateToAsk(rateOf(source));
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
      presets: undefined,
      pools: binary.pools
        .map((pool) => ({ ...pool, threads: [] }))
        .filter((pool) => JSON.stringify(pool) !== BUILT_IN_POOL),
    })),
  });
}
