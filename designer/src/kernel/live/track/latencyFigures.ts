import type { LatencyFigures } from "../figures/figures.js";

/** Takes over what a frame says of a latency (microseconds; null: nothing was sampled). */
export const setLatency = (to: LatencyFigures, said: LatencyFigures): void => {
  to.p50 = said.p50;
  to.p90 = said.p90;
  to.p99 = said.p99;
  to.max = said.max;
  to.mean = said.mean;
};

/** Before the first sample. */
export const noLatency = (): LatencyFigures => ({
  p50: null,
  p90: null,
  p99: null,
  max: null,
  mean: null,
});
