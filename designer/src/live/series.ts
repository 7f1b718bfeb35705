import { Ring } from "./ring.js";

/** Figures are those of the last second, so one a second is all there is to keep (a little less: samples are never quite on time). */
export const SERIES_EVERY_MS = 900;
/** A quarter of an hour. */
export const SERIES_LENGTH = 1020;

/** The three curves of a node in the metrics panel. */
export interface Series {
  rate: Ring;
  p50: Ring;
  p99: Ring;
}

export const newSeries = (): Series => ({
  rate: new Ring(SERIES_LENGTH),
  p50: new Ring(SERIES_LENGTH),
  p99: new Ring(SERIES_LENGTH),
});

const orHole = (value: number | null): number => value ?? Number.NaN;

export function pushTo(
  series: Series | undefined,
  rate: number,
  p50: number | null,
  p99: number | null,
): void {
  series?.rate.push(rate);
  series?.p50.push(orHole(p50));
  series?.p99.push(orHole(p99));
}
