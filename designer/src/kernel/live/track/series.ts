import type { PartFigures } from "../figures/figures.js";
import { Ring } from "./ring.js";

/** Figures are those of the last second, so one a second is all there is to keep (a little less: samples are never quite on time). */
export const SERIES_EVERY_MS = 900;
/** A quarter of an hour. */
export const SERIES_LENGTH = 1020;

/** The curves of a node in the metrics panel. */
export interface Series {
  rate: Ring;
  p50: Ring;
  p99: Ring;
  // Of services and stages, from their first value on: medians of what was waited and ran, and what expired.
  waited?: Ring;
  ran?: Ring;
  expired?: Ring;
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

export const partsAt = (of: (PartFigures & { expired: number }) | undefined) => ({
  waited: of?.wait.p50 ?? null,
  ran: of?.run.p50 ?? null,
  expired: of?.expired ?? Number.NaN,
});

/** Beside pushTo(): the curves that are made when there is something to draw. */
export function pushParts(series: Series | undefined, parts: ReturnType<typeof partsAt>): void {
  if (!series) return;
  for (const part of ["waited", "ran", "expired"] as const) {
    const value = orHole(parts[part]);
    if (!Number.isNaN(value)) series[part] ??= new Ring(SERIES_LENGTH);
    series[part]?.push(value);
  }
}
