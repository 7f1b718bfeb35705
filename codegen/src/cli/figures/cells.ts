import type { LatencyCells } from "../../contract/index.js";

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

/** Per second between two totals; null without an earlier one, or when the binary was started anew. */
export function rate(now: number, before: number | undefined, seconds: number): number | null {
  if (before === undefined || seconds <= 0 || now < before) return null;
  return (now - before) / seconds;
}
