import type { Ring } from "./ring.js";

/** uPlot's way: times, then one list a curve; `null` breaks a line, which is how holes stay holes. */
export type ChartData = [number[], ...(number | null)[][]];

/**
 * The part of the rings from `from` to `to` (seconds). Rings share the newest index; one that was
 * begun later is shorter, and its past is a hole.
 */
export function chartData(times: Ring, curves: readonly Ring[], from: number, to: number): ChartData {
  const xs: number[] = [];
  const ys: (number | null)[][] = curves.map(() => []);
  const count = times.length;
  for (let index = 0; index < count; index++) {
    const at = times.at(index);
    if (at < from - 1 || at > to) continue;
    xs.push(at);
    curves.forEach((curve, which) => {
      const value = curve.at(index - (count - curve.length));
      ys[which]?.push(Number.isNaN(value) ? null : value);
    });
  }
  return [xs, ...ys];
}

/** The largest value of the curves, 0 when there is none. */
export const maxOf = (data: ChartData): number =>
  (data.slice(1) as (number | null)[][]).reduce(
    (max, curve) =>
      curve.reduce<number>((most, value) => (value !== null && value > most ? value : most), max),
    0,
  );
