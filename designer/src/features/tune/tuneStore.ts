import type { PoolBefore, TuneLimits, TunePoint, TuneResult } from "@penstock/codegen/arrange";
import type { Pool } from "@penstock/codegen/topology";
import { createStore } from "zustand/vanilla";

/** One search for the size of a pool, from its limits to what came of it. */
export type TunePhase =
  | { kind: "limits" }
  /** `trying` threads now; at most `left` steps are left, this one counted. */
  | { kind: "searching"; trying: number; left: number }
  /** `drawn`: the threads of the pool before; undefined: it was not drawn. */
  | {
      kind: "found";
      result: TuneResult;
      before: PoolBefore;
      drawn: Pool["threads"] | undefined;
      undone: boolean;
    }
  | { kind: "ended"; reason: string };

export interface TuneState {
  /** Null: nobody tunes anything. */
  target: { binary: string; pool: string } | null;
  limits: TuneLimits;
  phase: TunePhase;
  points: readonly TunePoint[];
}

export const closedTune: TuneState = {
  target: null,
  limits: { from: 1, to: 16, secondsAStep: 3 },
  phase: { kind: "limits" },
  points: [],
};

export const tuneStore = createStore<TuneState>(() => closedTune);
