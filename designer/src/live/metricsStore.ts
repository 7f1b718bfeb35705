import { createStore } from "zustand/vanilla";

/** How the metrics panel is looked at. */
export interface MetricsState {
  spanSeconds: 60 | 120;
  /** Wall clock at which the charts stand still; null: they run. */
  frozenAtMs: number | null;
}
export const metricsStore = createStore<MetricsState>(() => ({ spanSeconds: 60, frozenAtMs: null }));
