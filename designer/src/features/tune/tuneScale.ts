import type { TunePoint } from "@penstock/codegen/arrange";
import { niceTop } from "../../kernel/ui/niceTop.js";

/** A point of the curve in the unit square; y grows downwards, as in a picture. */
export interface PlacedPoint {
  point: TunePoint;
  x: number;
  throughput: number;
  /** Null where nothing was timed. */
  latency: number | null;
}

export interface TuneScale {
  points: PlacedPoint[];
  /** What the upper edge stands for. */
  topRate: number;
  topP99Us: number;
}

/**
 * Where the sizes tried so far lie, in their order: sizes grow by factors, so the horizontal axis is
 * logarithmic between the limits.
 */
export function tuneScale(points: readonly TunePoint[], from: number, to: number): TuneScale {
  const topRate = niceTop(Math.max(1, ...points.map(({ perSecond }) => perSecond)));
  const topP99Us = niceTop(Math.max(1, ...points.map(({ p99Us }) => p99Us ?? 0)));
  const span = Math.log(to / from);
  return {
    topRate,
    topP99Us,
    points: points
      .toSorted((a, b) => a.threads - b.threads)
      .map((point) => ({
        point,
        x: span > 0 ? Math.log(point.threads / from) / span : 0,
        throughput: 1 - point.perSecond / topRate,
        latency: point.p99Us === null ? null : 1 - point.p99Us / topP99Us,
      })),
  };
}
