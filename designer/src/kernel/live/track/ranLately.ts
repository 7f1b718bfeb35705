import type { LatencyFigures } from "../figures/figures.js";
import { SERIES_EVERY_MS } from "./series.js";

/** So many of the last seconds with a sample are averaged; none that is older than a minute. */
const SECONDS = 10;
const KEPT_MS = 60_000;

/** Little's law asks for the mean; older binaries send none. */
export const typical = ({ mean, p50 }: LatencyFigures): number | null => mean ?? p50;

/**
 * How long something ran on average in the last seconds of which there is a sample: one second has few or none of what
 * is slow and seldom asked, which is what holds the threads.
 */
export class RanLately {
  private readonly seen: { atMs: number; micros: number }[] = [];

  /** Takes what a frame says of the second before it (microseconds), and returns the average; null: nothing lately. */
  take(atMs: number, run: LatencyFigures): number | null {
    while (this.seen[0] !== undefined && atMs - this.seen[0].atMs > KEPT_MS) this.seen.shift();
    const micros = typical(run);
    // Frames come more often than once a second and say the same of it again.
    const last = this.seen.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    if (micros !== null && atMs - last >= SERIES_EVERY_MS) {
      this.seen.push({ atMs, micros });
      if (this.seen.length > SECONDS) this.seen.shift();
    }
    if (this.seen.length === 0) return null;
    return this.seen.reduce((sum, one) => sum + one.micros, 0) / this.seen.length;
  }
}
