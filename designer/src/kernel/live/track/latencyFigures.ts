import type { LatencyCells } from "@penstock/codegen/contract";
import type { LatencyFigures } from "../figures.js";

/** Takes over what a frame says of a latency (microseconds; null: nothing was sampled). */
export const setLatency = (to: LatencyFigures, cells: LatencyCells): void => {
  to.p50 = cells[0];
  to.p90 = cells[1];
  to.p99 = cells[2];
  to.max = cells[3];
  to.mean = cells[4] ?? null;
};

/** Before the first sample. */
export const noLatency = (): LatencyFigures => ({
  p50: null,
  p90: null,
  p99: null,
  max: null,
  mean: null,
});
