import type { BenchResult, BenchSkip, BenchStatus } from "@penstock/codegen/contract";

/** A line of the chart: a benchmark with its figure, or with the reason why it has none. */
export type BenchRow =
  | {
      kind: "figure";
      name: string;
      service: string;
      result: BenchResult;
      /** Median of the run before, in nanoseconds. */
      before: number | null;
      change: Change | null;
    }
  | { kind: "skip"; name: string; service: string; skip: BenchSkip };

export interface Change {
  /** In percent of the median before; positive is slower. */
  percent: number;
  /** `same` unless the spreads lie apart: what lies within the noise is no news. */
  verdict: "faster" | "slower" | "same";
}

/** The change since the run before, judged by the spreads of both. */
export function changeOf(now: BenchResult, before: BenchResult): Change | null {
  if (!(before.median > 0)) return null;
  const percent = Math.round((now.median / before.median - 1) * 100);
  if (now.max < before.min) return { percent, verdict: "faster" };
  if (now.min > before.max) return { percent, verdict: "slower" };
  return { percent, verdict: "same" };
}

/** The dearest call first; benchmarks without a figure come last, failed ones before unwritten ones. */
export function benchRows({
  results,
  skipped,
  previous,
}: Pick<BenchStatus, "results" | "skipped" | "previous">): BenchRow[] {
  const before = new Map(previous.map((one) => [one.name, one]));
  const figures = results
    .toSorted((one, other) => other.median - one.median || one.name.localeCompare(other.name))
    .map((result): BenchRow => {
      const old = before.get(result.name);
      const { name, service } = result;
      return {
        kind: "figure",
        name,
        service,
        result,
        before: old?.median ?? null,
        change: old ? changeOf(result, old) : null,
      };
    });
  const rest = skipped
    .toSorted((one, other) => Number(other.failed) - Number(one.failed) || one.name.localeCompare(other.name))
    .map((skip): BenchRow => ({ kind: "skip", name: skip.name, service: skip.service, skip }));
  return [...figures, ...rest];
}
