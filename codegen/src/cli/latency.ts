import type { LatencyCells } from "../contract/index.js";

/** Of the last second's samples, microseconds; null while there are none. */
export interface Latency {
  p50Us: number | null;
  p90Us: number | null;
  p99Us: number | null;
  maxUs: number | null;
  /** Null as well where the binary does not send it. */
  meanUs: number | null;
}

export const latencyOf = ([p50Us, p90Us, p99Us, maxUs, meanUs = null]: LatencyCells): Latency => ({
  p50Us,
  p90Us,
  p99Us,
  maxUs,
  meanUs,
});
