import type { Problem } from "../diagnostics/index.js";

/** What one benchmark took, over several runs. */
export interface BenchResult {
  /** As it is registered: `Addition`, `ProduceAd/ModelA`, or what its user called it. */
  name: string;
  /** Whose it is; "" when its name names no service. */
  service: string;
  implementation?: string;
  /** Wall time of one call, lower is better. */
  unit: "ns/call";
  median: number;
  min: number;
  max: number;
  /** How many runs these figures are of. */
  runs: number;
}

/** A benchmark without a figure. */
export interface BenchSkip {
  name: string;
  service: string;
  implementation?: string;
  /** For people: "not written yet", or how it failed. */
  reason: string;
  /** False for a handler that nobody has written yet. */
  failed: boolean;
}

export type BenchPhase =
  "idle" | "generating" | "configuring" | "compiling" | "measuring" | "succeeded" | "failed" | "cancelled";

/** Figures that are kept from run to run. */
export interface BenchFigures {
  results: BenchResult[];
  skipped: BenchSkip[];
  /** When they were measured, by the wall clock; null before the first time. */
  measuredAtMs: number | null;
  /** Those of the time before, to compare with. */
  previous: BenchResult[];
}

/** How far measuring is. While it measures, the figures are those of this time, as they come. */
export interface BenchStatus extends BenchFigures {
  phase: BenchPhase;
  /** Compiler steps, then runs; 0 of 0 while not known. */
  done: number;
  total: number;
  /** File that is compiled, or benchmark that runs. */
  current: string;
  startedAtMs: number | null;
  milliseconds: number;
  problems: Problem[];
}
