import { METRICS_RANGES } from "./metricsRange.js";
import type { Ring } from "./track/ring.js";

/** uPlot's way: times, then one list a curve; `null` breaks a line, which is how holes stay holes. */
export type ChartData = [number[], ...(number | null)[][]];

/** A curve's past, and what stands for several seconds of it: of percentiles that warn, the worst. */
export interface ChartCurve {
  ring: Ring;
  of: "mean" | "max";
}

const STEPS = METRICS_RANGES.map(({ step }) => step);
/** Samples never come quite on time: one may be missing, and two of them are not yet a coarser past. */
const LATE = 2.5;

/** Seconds of one point as they come together: NaN counts for nothing. */
class Bucket {
  private sums: number[] = [];
  private counts: number[] = [];

  constructor(private readonly curves: readonly ChartCurve[]) {}

  add(which: number, value: number): void {
    if (Number.isNaN(value)) return;
    const count = this.counts[which] ?? 0;
    const sum = this.sums[which];
    this.sums[which] =
      sum === undefined ? value : this.curves[which]?.of === "max" ? Math.max(sum, value) : sum + value;
    this.counts[which] = count + 1;
  }

  value(which: number): number | null {
    const sum = this.sums[which];
    if (sum === undefined) return null;
    return this.curves[which]?.of === "max" ? sum : sum / (this.counts[which] ?? 1);
  }
}

/**
 * The part of the rings from `from` to `to` (seconds), a point for each `step` of the clock, so that a curve
 * has one grain however its past was come by. Rings share the newest index; one that was begun later is
 * shorter, and its past is a hole. A time that is NaN is a time nobody saw.
 */
export function chartData(
  times: Ring,
  curves: readonly ChartCurve[],
  from: number,
  to: number,
  step: number,
): ChartData {
  const xs: number[] = [];
  const ys: (number | null)[][] = curves.map(() => []);
  const count = times.length;
  let bucket: Bucket | undefined;
  let ends = Number.NEGATIVE_INFINITY;
  let newest = 0;
  const flush = () => {
    if (!bucket) return;
    xs.push(newest);
    for (const [which, list] of ys.entries()) list.push(bucket.value(which));
    bucket = undefined;
  };
  for (let index = 0; index < count; index++) {
    const at = times.at(index);
    if (Number.isNaN(at)) {
      flush();
      const last = xs.at(-1);
      if (last === undefined) continue;
      // A little later, so that times grow.
      xs.push(last + 0.001);
      for (const list of ys) list.push(null);
      continue;
    }
    // A clock that was set back: times must grow.
    if (at < from - step || at > to || at < newest) continue;
    if (at >= ends) {
      flush();
      ends = (Math.floor(at / step) + 1) * step;
    }
    bucket ??= new Bucket(curves);
    newest = at;
    for (const [which, { ring }] of curves.entries())
      bucket.add(which, ring.at(index - (count - ring.length)));
  }
  flush();
  return [xs, ...ys];
}

/**
 * The resolution from `from` to `to` (seconds): `least`, or that of the coarsest part of what is known there,
 * so that no curve changes its grain on the way.
 */
export function grainOf(times: Ring, from: number, to: number, least: number): number {
  let widest = 0;
  for (let index = 1; index < times.length; index++) {
    const [before, at] = [times.at(index - 1), times.at(index)];
    if (before >= from && at <= to) widest = Math.max(widest, at - before);
  }
  return STEPS.find((step) => step >= least && widest <= LATE * step) ?? STEPS.at(-1)!;
}

/** The largest value of the curves, 0 when there is none. */
export const maxOf = (data: ChartData): number =>
  (data.slice(1) as (number | null)[][]).reduce(
    (max, curve) =>
      curve.reduce<number>((most, value) => (value !== null && value > most ? value : most), max),
    0,
  );
