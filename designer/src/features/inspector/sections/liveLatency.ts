import { useServiceFigures } from "../../../kernel/live/hooks.js";
import { formatMicros, words } from "../../../kernel/live/figures/format.js";

/** What the figure beside an implementation is. */
export const LATENCY = "Average time that it ran in the last seconds with a sample, without waiting";

/** `2.9 ms` that one implementation runs; empty while nothing runs. */
export function useImplementationLatency(service: string, implementation: string): string {
  const figures = useServiceFigures(service);
  const found = figures?.implementations.find((item) => item.name === implementation);
  const ran = found?.ranLately ?? found?.p50 ?? null;
  return ran === null ? "" : words(formatMicros(ran));
}
