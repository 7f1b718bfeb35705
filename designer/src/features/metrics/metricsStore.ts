import { createStore } from "zustand/vanilla";
import {
  LEAST_ZOOM_SECONDS,
  METRICS_RANGES,
  type MetricsRange,
  type Zoom,
} from "../../kernel/live/metricsRange.js";

/** How the metrics panel is looked at: all its charts show one time. */
export interface MetricsState {
  range: MetricsRange;
  /** A part of the range; the charts stand still while there is one. */
  zoom: Zoom | null;
  /** Wall clock at which the charts stand still; null: they run. */
  frozenAtMs: number | null;
}
export const metricsStore = createStore<MetricsState>(() => ({
  range: METRICS_RANGES[0]!,
  zoom: null,
  frozenAtMs: null,
}));

export const showRange = (range: MetricsRange): void => metricsStore.setState({ range, zoom: null });

/** Shows a part more closely, in either order of its ends; what is too short to show is widened. */
export function zoomTo(one: number, other: number): void {
  const middle = (one + other) / 2;
  const half = Math.max(Math.abs(one - other), LEAST_ZOOM_SECONDS) / 2;
  metricsStore.setState({ zoom: { from: middle - half, to: middle + half } });
}

export const resetZoom = (): void => metricsStore.setState({ zoom: null });

/** The charts run again, over the whole range. */
export const showNow = (): void => metricsStore.setState({ zoom: null, frozenAtMs: null });

/** What the charts show now, seconds since the epoch. */
export function shownSpan({ range, zoom, frozenAtMs }: MetricsState, nowMs: number): Zoom {
  if (zoom) return zoom;
  const to = (frozenAtMs ?? nowMs) / 1000;
  return { from: to - range.seconds, to };
}
