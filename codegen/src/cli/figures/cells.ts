import type { LiveLatency } from "../../contract/index.js";

/** Of the last second's samples, microseconds; null while there are none. */
export interface Latency {
  p50Us: number | null;
  p90Us: number | null;
  p99Us: number | null;
  maxUs: number | null;
  /** Null as well where the binary does not send it. */
  meanUs: number | null;
}

export const latencyOf = (said: LiveLatency | undefined): Latency => ({
  p50Us: said?.p50 ?? null,
  p90Us: said?.p90 ?? null,
  p99Us: said?.p99 ?? null,
  maxUs: said?.max ?? null,
  meanUs: said?.mean ?? null,
});

/** Per second between two totals; null without an earlier one, or when the binary was started anew. */
export function rate(now: number, before: number | undefined, seconds: number): number | null {
  if (before === undefined || seconds <= 0 || now < before) return null;
  return (now - before) / seconds;
}

export const byId = <Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));
