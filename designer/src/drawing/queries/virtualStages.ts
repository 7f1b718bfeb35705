import { ownPoolOf } from "@penstock/codegen/arrange";
import {
  DEFAULT_POOL,
  stagesRunOn,
  threadName,
  type Binary,
  type Flow,
  type StagePlace,
  type Topology,
} from "@penstock/codegen/topology";
import { servedElsewhere, binariesOfFlow } from "../../kernel/document/edits/binaries.js";

/** How a stage is drawn as a part of its virtual stage: everything from one join up to the next. */
export interface StageLook {
  /** Colour of the threads that run it; undefined for the built-in pool and for what nothing runs. */
  color: string | undefined;
  /** The threads that run it, as they are called. */
  threads: string;
  /** It runs on the thread of the stage before it. */
  fused: boolean;
}

const categorical = (index: number): string => `var(--pool-${(index % 6) + 1})`;

/** Where the colour of a join's own threads is in the order of colours: behind those of drawn pools. */
export function ownColorIndex(topology: Topology, binary: Binary, ownPool: string): number {
  const owners = topology.flows.flatMap((one) =>
    one.stages.flatMap(({ id, join }) => (join && !("pool" in join) ? [ownPoolOf(one.name, id)] : [])),
  );
  return binary.pools.length + owners.indexOf(ownPool);
}

/** Drawn pools have colours in their order; joins with threads of their own take those that follow. */
function colorOfPlace(
  topology: Topology,
  binary: Binary,
  flow: Flow,
  { pool }: StagePlace,
): string | undefined {
  if ("name" in pool) {
    const index = binary.pools.findIndex(({ name }) => name === pool.name);
    return index < 0 || pool.name === DEFAULT_POOL ? undefined : categorical(index);
  }
  return categorical(ownColorIndex(topology, binary, ownPoolOf(flow.name, pool.ownOf)));
}

/** `front`, `front·0` where one of its threads is drawn, `Flow.stage` for a join's own. */
function threadsOfPlace(flow: Flow, { pool }: StagePlace): string {
  if (!("name" in pool)) return ownPoolOf(flow.name, pool.ownOf);
  return pool.thread === undefined ? pool.name : threadName(pool.name, pool.thread);
}

/** Where each stage of a flow runs, in list order, by the first binary that runs it. */
export function stageLooks(topology: Topology, flow: Flow): StageLook[] {
  const binary = binariesOfFlow(topology, flow.name)[0];
  if (!binary) return flow.stages.map(() => ({ color: undefined, threads: "", fused: false }));
  return stagesRunOn(binary, flow, servedElsewhere(topology, binary)).map(({ places, queued, elsewhere }) => {
    const place = elsewhere ? undefined : places[0];
    if (!place) return { color: undefined, threads: "", fused: !queued && !elsewhere };
    return {
      color: colorOfPlace(topology, binary, flow, place),
      threads: threadsOfPlace(flow, place),
      fused: !queued,
    };
  });
}
