import { z } from "zod";

/** What one run of one benchmark came to. */
export type Measured = { kind: "time"; nanoseconds: number } | { kind: "error"; reason: string };

const NANOSECONDS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 } as const;

const entry = z.object({
  run_type: z.string().optional(),
  real_time: z.number().nonnegative().optional(),
  time_unit: z.enum(["ns", "us", "ms", "s"]).optional(),
  error_occurred: z.boolean().optional(),
  error_message: z.string().optional(),
});
const report = z.object({ benchmarks: z.array(entry) });

/**
 * Wall times in the JSON that Google Benchmark writes. Its means and medians over repetitions are
 * left out: who runs it several times makes his own. Undefined when it is no such report.
 */
export function readReport(text: string): Measured[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = report.safeParse(value);
  if (!parsed.success) return undefined;
  return parsed.data.benchmarks
    .filter(({ run_type: type }) => type !== "aggregate")
    .flatMap((one): Measured[] => {
      if (one.error_occurred) return [{ kind: "error", reason: one.error_message ?? "an error" }];
      if (one.real_time === undefined) return [];
      return [{ kind: "time", nanoseconds: one.real_time * NANOSECONDS[one.time_unit ?? "ns"] }];
    });
}

const left = z.strictObject({
  calls: z.int().nonnegative(),
  unanswered: z.int().nonnegative(),
  blocks: z.int().nonnegative(),
});
/** What the runtime's testing.hpp says was left behind once all calls were answered. */
export type Left = z.infer<typeof left>;

/** Undefined where the program wrote nothing of the kind. */
export function readLeft(text: string): Left | undefined {
  try {
    return left.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Median, least and most of at least one figure; of an even number the mean of the middle two. */
export function spreadOf(figures: readonly number[]): { median: number; min: number; max: number } {
  const sorted = figures.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}
