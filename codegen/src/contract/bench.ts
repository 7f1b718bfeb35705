import { z } from "zod";
import { problemSchema } from "./api.js";

/** What one benchmark took, over several runs. */
export const benchResultSchema = z.strictObject({
  /** As it is registered: `Addition`, `ProduceAd/ModelA`, or what its user called it. */
  name: z.string(),
  /** Whose it is; "" when its name names no service. */
  service: z.string(),
  implementation: z.string().exactOptional(),
  /** Wall time of one call, lower is better. */
  unit: z.literal("ns/call"),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  /** How many runs these figures are of. */
  runs: z.number(),
  /**
   * What was still there when all was answered, in the run that left most; left out where nothing was. Blocks are call
   * frames, coroutine frames and messages.
   */
  left: z.strictObject({ calls: z.number(), unanswered: z.number(), blocks: z.number() }).exactOptional(),
});
export type BenchResult = z.infer<typeof benchResultSchema>;

/** A benchmark without a figure. */
export const benchSkipSchema = z.strictObject({
  name: z.string(),
  service: z.string(),
  implementation: z.string().exactOptional(),
  /** For people: "not written yet", or how it failed. */
  reason: z.string(),
  /** False for a handler that nobody has written yet. */
  failed: z.boolean(),
});
export type BenchSkip = z.infer<typeof benchSkipSchema>;

export const benchPhaseSchema = z.enum([
  "idle",
  "generating",
  "configuring",
  "compiling",
  "measuring",
  "succeeded",
  "failed",
  "cancelled",
]);
export type BenchPhase = z.infer<typeof benchPhaseSchema>;

/** Figures that are kept from run to run. */
export const benchFiguresSchema = z.strictObject({
  results: z.array(benchResultSchema),
  skipped: z.array(benchSkipSchema),
  /** When they were measured, by the wall clock; null before the first time. */
  measuredAtMs: z.number().nullable(),
  /** Those of the time before, to compare with. */
  previous: z.array(benchResultSchema),
});
export type BenchFigures = z.infer<typeof benchFiguresSchema>;

/** How far measuring is. While it measures, the figures are those of this time, as they come. */
export const benchStatusSchema = benchFiguresSchema.extend({
  phase: benchPhaseSchema,
  /** Compiler steps, then runs; 0 of 0 while not known. */
  done: z.number(),
  total: z.number(),
  /** File that is compiled, or benchmark that runs. */
  current: z.string(),
  startedAtMs: z.number().nullable(),
  milliseconds: z.number(),
  problems: z.array(problemSchema),
});
export type BenchStatus = z.infer<typeof benchStatusSchema>;
