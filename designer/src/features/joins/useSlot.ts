import { ownPoolOf } from "@penstock/codegen/arrange";
import { useMemo } from "react";
import { useSlice, sliced } from "../../kernel/live/hooks.js";
import { trackOfFlow } from "../../kernel/live/liveStore.js";

/** What serves a slot of a running binary just now. */
export interface SlotFigures {
  binary: string;
  /** Null: fused behind the stage before it. */
  pool: string | null;
  /** The pool is the join's own. */
  own: boolean;
  busy: number;
  threads: number;
  queued: number;
  queue: number;
  /** Pools of the running binary that a join can be put on. */
  pools: string[];
}

/** The join before a stage as it runs; null while the flow does not run. At most four times a second. */
export const useSlot = (flow: string, stage: string): SlotFigures | null =>
  useSlice(useMemo(() => sliced(() => readSlot(flow, stage)), [flow, stage]));

function readSlot(flow: string, stage: string): SlotFigures | null {
  const track = trackOfFlow(flow);
  const at = track?.flows.get(flow)?.figures.stages.find(({ id }) => id === stage);
  if (!track || !at) return null;
  const pool = at.pool === null ? undefined : track.pools.get(at.pool)?.figures;
  const { busy = 0, count: threads = 0, queued = 0, queue = 0 } = pool ?? {};
  const pools = [...track.pools.values()]
    .map(({ figures }) => figures)
    .filter((one) => one.count > 0 && !one.pool.includes("."))
    .map((one) => one.pool);
  return {
    binary: track.binary,
    pool: at.pool,
    own: at.pool === ownPoolOf(flow, stage),
    busy,
    threads,
    queued,
    queue,
    pools,
  };
}
