import type { LiveSample } from "./live.js";

/** Whose a row is: what its id at `at` (0 when left out) names; of a stage the first two cells. */
export interface RowKind {
  of: "service" | "flow" | "stage" | "call" | "pool" | "link";
  at?: number;
  /** Left out by binaries built before it was sent, or while there is nothing to say. */
  optional?: true;
  /** What each cell is, a letter of `CELLS`; left out: rows of several processes stand one after the other. */
  cells?: string;
}

/**
 * How a cell of one row comes from those of several processes: `k` names what the row is of; `c` counts since the start,
 * `g` is how many there are now, both summed; `v` counts too, and its mean over the processes is told; `w` is a mean that
 * each process weighs in by what it did; `x` is the greatest; `f` that of the first.
 */
export type Cell = "k" | "c" | "g" | "v" | "w" | "x" | "f";

/** Percentiles of several processes lie between theirs: the mean of p50, of the higher ones the greatest. */
const LATENCY = "wxxxw";

export type RowName = Exclude<keyof LiveSample, "type" | "t" | "seq" | "process" | "traces">;

/** The rows of a sample, each once: what reads, filters and relays samples goes by this. */
export const LIVE_ROWS: Readonly<Record<RowName, RowKind>> = {
  services: { of: "service", cells: `kccgc${LATENCY}` },
  implementations: { of: "service", cells: `kkcc${LATENCY}` },
  calls: { of: "call", cells: "kcc" },
  flows: { of: "flow", cells: `kccccg${LATENCY}` },
  stages: { of: "stage", cells: `kkcc${LATENCY}` },
  waits: { of: "flow", cells: `kk${LATENCY}`, optional: true },
  runs: { of: "flow", cells: `kk${LATENCY}`, optional: true },
  stageOutcomes: { of: "flow", cells: "kkcc", optional: true },
  fused: { of: "flow", cells: `kk${LATENCY}`, optional: true },
  outcomes: { of: "service", cells: "kkcccc", optional: true },
  serviceWaits: { of: "service", cells: `kk${LATENCY}`, optional: true },
  serviceRuns: { of: "service", cells: `kk${LATENCY}`, optional: true },
  pools: { of: "pool", cells: "kggggc" },
  threads: { of: "pool", cells: "kkvvvvfv" },
  stuck: { of: "service", at: 2, optional: true },
  links: { of: "link", cells: "kggcccw", optional: true },
};

export const ROW_NAMES = Object.keys(LIVE_ROWS) as RowName[];

const isCell = (value: unknown): boolean =>
  value === null || (typeof value === "number" && Number.isFinite(value));

const isRows = (value: unknown): boolean =>
  Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every(isCell));

const isTraces = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (trace) =>
      Array.isArray(trace) &&
      (trace.length === 5 || trace.length === 6) &&
      trace.slice(0, 3).every(isCell) &&
      typeof trace[3] === "string" &&
      trace.slice(4).every(isRows),
  );

/** Whether a value has the form of a sample; rows are looked at cell by cell, not by their meaning. */
export function isSample(value: unknown): value is LiveSample {
  if (typeof value !== "object" || value === null) return false;
  const frame = value as Record<string, unknown>;
  if (frame["type"] !== "sample") return false;
  if (typeof frame["t"] !== "number" || typeof frame["seq"] !== "number") return false;
  if (typeof frame["process"] !== "object" || frame["process"] === null) return false;
  if (!(frame["traces"] === undefined || isTraces(frame["traces"]))) return false;
  return ROW_NAMES.every((name) =>
    frame[name] === undefined ? LIVE_ROWS[name].optional === true : isRows(frame[name]),
  );
}
