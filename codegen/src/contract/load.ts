import { z } from "zod";
import { FASTEST_RATE } from "../model/topology/index.js";
import { problemSchema } from "./api.js";
import { binaryName, flowName } from "./names.js";

/** The ranges of the settings, both ends included. */
export const LOAD_RANGES = {
  start: { min: 0.1, max: FASTEST_RATE },
  step: { min: 0, max: FASTEST_RATE },
  periodS: { min: 1, max: 3600 },
  most: { min: 0.1, max: FASTEST_RATE },
  forS: { min: 1, max: 86_400 },
  recoveryS: { min: 1, max: 600 },
  tolerance: { min: 0.001, max: 0.5 },
} as const;

const figure = z.number().nullable();
const ranged = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);
const seconds = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

/** How the load grows and when it ends; rates are events a second, times are seconds. */
export const loadSettingsSchema = z.strictObject({
  start: ranged(LOAD_RANGES.start),
  /** What each step adds; 0 for a constant load. */
  step: ranged(LOAD_RANGES.step),
  /** How long a step lasts, whole seconds. */
  periodS: seconds(LOAD_RANGES.periodS),
  /** The last step is the one that reaches this rate; null: on until it breaks. */
  most: ranged(LOAD_RANGES.most).nullable(),
  /** Whole seconds after which it ends in any case; null: on until it breaks. */
  forS: seconds(LOAD_RANGES.forS).nullable(),
  /** Whole seconds without recovery that make a breaking point. */
  recoveryS: seconds(LOAD_RANGES.recoveryS),
  /** Share of a second's events that may be short, lost or late while it counts as held, 0 to 1. */
  tolerance: ranged(LOAD_RANGES.tolerance),
});
export type LoadSettings = z.infer<typeof loadSettingsSchema>;

/** What a load may ask an address with. */
export const LOAD_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

/** A flow of a running binary whose source makes events at a rate, or an address that takes requests. */
export const loadTargetSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("flow"), binary: binaryName, flow: flowName }),
  z.strictObject({
    kind: z.literal("url"),
    method: z.enum(LOAD_METHODS),
    url: z.string().max(2048),
  }),
]);
export type LoadTarget = z.infer<typeof loadTargetSchema>;

/** `Accept: text/plain`: the name of a header, and its value. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t\x20-\x7e]*)$/;
/** Say where a request ends, which is for who sends it. */
const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "trailer"]);

/** The name of a header in small letters, and its value; undefined for a line that is none, or says where the request ends. */
export function headerOf(line: string): [name: string, value: string] | undefined {
  const [, said, value] = HEADER.exec(line) ?? [];
  const name = said?.toLowerCase();
  return name === undefined || value === undefined || FRAMING.has(name) ? undefined : [name, value];
}

/** What the designer asks for. The text of a body and headers go with an address only; neither is kept. */
export const loadRequestSchema = z.strictObject({
  target: loadTargetSchema,
  settings: loadSettingsSchema,
  body: z.string().max(65_536).exactOptional(),
  headers: z
    .array(
      z
        .string()
        .max(8_192)
        .refine((line) => headerOf(line) !== undefined, { error: "no header" }),
    )
    .max(16)
    .exactOptional(),
});
export type LoadRequest = z.infer<typeof loadRequestSchema>;

/** One second of a load, counted from its beginning; times are microseconds, `null` is "no figure". */
export const loadSecondSchema = z.strictObject({
  second: z.number(),
  /** Events that were due. */
  target: z.number(),
  sent: z.number(),
  completed: z.number(),
  /** Ended in failure, refused, dropped, or timed out. */
  failed: z.number(),
  /** Due but not done at the end of the second. */
  waiting: z.number(),
  /** Events and calls in the binary's queues at the end of the second. */
  queued: figure,
  p50Us: figure,
  p90Us: figure,
  p99Us: figure,
  maxUs: figure,
  /** Share of its own time that the simulator was at work; near 1 the figures are its own limit. */
  busy: figure,
  /** False while completions fall short, events are lost or more of them wait than is usual. */
  held: z.boolean(),
});
export type LoadSecond = z.infer<typeof loadSecondSchema>;

/** What a second that was not held lacked. */
export const loadFaultSchema = z.enum(["throughput", "losses", "waiting", "gone"]);
export type LoadFault = z.infer<typeof loadFaultSchema>;

/**
 * The whole load at once, which its seconds do not add up to: percentiles have no sum. Of a flow only the slowest event is
 * known, as its binary keeps percentiles of the last second. Times are microseconds unless they say otherwise.
 */
export const loadWholeSchema = z.strictObject({
  /** From the beginning until nothing more was waited for. */
  tookMs: z.number(),
  sent: z.number(),
  completed: z.number(),
  failed: z.number(),
  minUs: figure,
  p50Us: figure,
  p95Us: figure,
  p99Us: figure,
  maxUs: figure,
});
export type LoadWhole = z.infer<typeof loadWholeSchema>;

/** Where the target stopped keeping up for good. */
export const breakingPointSchema = z.strictObject({
  /** The rate of the last step that was held to its end; null when none was. */
  perSecond: figure,
  /** The rate at which it broke, and the second in which that began. */
  brokeAt: z.number(),
  second: z.number(),
  fault: loadFaultSchema,
});
export type BreakingPoint = z.infer<typeof breakingPointSchema>;

/** `broke`: a breaking point was found; `ended`: `most` or `forS` was reached. */
export const loadOutcomeSchema = z.enum(["broke", "ended", "interrupted", "failed"]);

/** What a load came to; kept in a file and drawn as a chart. */
export const loadReportSchema = z.strictObject({
  version: z.literal(1),
  target: loadTargetSchema,
  settings: loadSettingsSchema,
  /** Wall clock of its beginning, milliseconds since the epoch. */
  startedAtMs: z.number(),
  /** Seconds it lasts unless it breaks before; null when only that ends it. */
  lengthS: figure,
  outcome: loadOutcomeSchema,
  /** The rate of the last step that was held to its end; null when none was. */
  heldPerSecond: figure,
  breakingPoint: breakingPointSchema.nullable(),
  seconds: z.array(loadSecondSchema),
  /** Null in a report that was kept before there was this. */
  whole: loadWholeSchema.nullable().default(null),
  /** Why events failed, the most frequent first; an address says, a flow does not. */
  failures: z.array(z.strictObject({ reason: z.string(), count: z.number() })),
});
export type LoadReport = z.infer<typeof loadReportSchema>;

export const loadPhaseSchema = z.enum(["idle", "starting", "loading", ...loadOutcomeSchema.options]);

/**
 * How far a load is; sent when that changes and to a tab that opens the project. Meanwhile every second
 * comes by itself. The outcome of a report is final once the phase is no longer `loading`.
 */
export const loadStatusSchema = z.strictObject({
  phase: loadPhaseSchema,
  report: loadReportSchema.nullable(),
  problems: z.array(problemSchema),
});
export type LoadStatus = z.infer<typeof loadStatusSchema>;

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
