import type { Problem } from "../diagnostics/index.js";

/** How the load grows and when it ends; rates are events a second, times are seconds. */
export interface LoadSettings {
  start: number;
  /** What each step adds; 0 for a constant load. */
  step: number;
  /** How long a step lasts, whole seconds. */
  periodS: number;
  /** The last step is the one that reaches this rate; null: on until it breaks. */
  most: number | null;
  /** Whole seconds after which it ends in any case; null: on until it breaks. */
  forS: number | null;
  /** Whole seconds without recovery that make a breaking point. */
  recoveryS: number;
  /** Share of a second's events that may be short, lost or late while it counts as held, 0 to 1. */
  tolerance: number;
}

/** A flow of a running binary whose source makes events at a rate, or an address that takes requests. */
export type LoadTarget =
  { kind: "flow"; binary: string; flow: string } | { kind: "url"; method: string; url: string };

/** What the designer asks for. The text of a body goes with an address only. */
export interface LoadRequest {
  target: LoadTarget;
  settings: LoadSettings;
  body?: string;
}

/** One second of a load, counted from its beginning; times are microseconds, `null` is "no figure". */
export interface LoadSecond {
  second: number;
  /** Events that were due. */
  target: number;
  sent: number;
  completed: number;
  /** Ended in failure, refused, dropped, or timed out. */
  failed: number;
  /** Due but not done at the end of the second. */
  waiting: number;
  /** Events and calls in the binary's queues at the end of the second. */
  queued: number | null;
  p50Us: number | null;
  p90Us: number | null;
  p99Us: number | null;
  maxUs: number | null;
  /** Share of its own time that the simulator was at work; near 1 the figures are its own limit. */
  busy: number | null;
  /** False while completions fall short, events are lost or more of them wait than is usual. */
  held: boolean;
}

/** What a second that was not held lacked. */
export type LoadFault = "throughput" | "losses" | "waiting" | "gone";

/** Where the target stopped keeping up for good. */
export interface BreakingPoint {
  /** The rate of the last step that was held to its end; null when none was. */
  perSecond: number | null;
  /** The rate at which it broke, and the second in which that began. */
  brokeAt: number;
  second: number;
  fault: LoadFault;
}

/** `broke`: a breaking point was found; `ended`: `most` or `forS` was reached. */
export type LoadOutcome = "broke" | "ended" | "interrupted" | "failed";

/** What a load came to; kept in a file and drawn as a chart. */
export interface LoadReport {
  version: 1;
  target: LoadTarget;
  settings: LoadSettings;
  /** Wall clock of its beginning, milliseconds since the epoch. */
  startedAtMs: number;
  /** Seconds it lasts unless it breaks before; null when only that ends it. */
  lengthS: number | null;
  outcome: LoadOutcome;
  /** The rate of the last step that was held to its end; null when none was. */
  heldPerSecond: number | null;
  breakingPoint: BreakingPoint | null;
  seconds: LoadSecond[];
  /** Why events failed, the most frequent first; an address says, a flow does not. */
  failures: { reason: string; count: number }[];
}

export type LoadPhase = "idle" | "starting" | "loading" | LoadOutcome;

/**
 * How far a load is; sent when that changes and to a tab that opens the project. Meanwhile every second
 * comes by itself. The outcome of a report is final once the phase is no longer `loading`.
 */
export interface LoadStatus {
  phase: LoadPhase;
  report: LoadReport | null;
  problems: Problem[];
}

/** What a load takes when nothing else is said: concor's ten more every ten seconds. */
export const LOAD_DEFAULTS: LoadSettings = {
  start: 100,
  step: 10,
  periodS: 10,
  most: null,
  forS: null,
  recoveryS: 15,
  tolerance: 0.05,
};

/** The ranges of the settings, both ends included. */
export const LOAD_RANGES = {
  start: { min: 0.1, max: 1e9 },
  step: { min: 0, max: 1e9 },
  periodS: { min: 1, max: 3600 },
  most: { min: 0.1, max: 1e9 },
  forS: { min: 1, max: 86_400 },
  recoveryS: { min: 1, max: 600 },
  tolerance: { min: 0.001, max: 0.5 },
} as const satisfies Record<keyof LoadSettings, { min: number; max: number }>;
