import { useServiceFigures } from "../live/hooks.js";
import { formatMicros, words } from "../live/format.js";

/** What the figure beside an implementation is. */
export const LATENCY = "Median latency of the last second";

/** `p50 2.9 ms` of one implementation; empty while nothing runs. */
export function useImplementationLatency(service: string, implementation: string): string {
  const figures = useServiceFigures(service);
  const p50 = figures?.implementations.find((item) => item.name === implementation)?.p50;
  return p50 === undefined || p50 === null ? "" : words(formatMicros(p50));
}
