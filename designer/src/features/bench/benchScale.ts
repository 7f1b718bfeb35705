import { niceTop } from "../../kernel/ui/niceTop.js";
import type { BenchRow } from "./benchRows.js";
import { createStore } from "zustand/vanilla";

export interface BenchScale {
  kind: "linear" | "log";
  /** Where a time lies between the left (0) and the right (1) end. */
  at: (nanoseconds: number) => number;
  /** Times that get a rule and a figure, from left to right. */
  ticks: number[];
}

/** From here on the shortest bar would be a hair on a linear scale. */
const WIDE = 30;

/** Every time that the chart has to show. */
function timesOf(rows: readonly BenchRow[]): number[] {
  return rows
    .flatMap((row) =>
      row.kind === "figure" ? [row.result.min, row.result.median, row.result.max, row.before ?? 0] : [],
    )
    .filter((time) => time > 0);
}

/** Services that differ by orders of magnitude are compared by logarithm, others by length. */
export function fittingKind(rows: readonly BenchRow[]): BenchScale["kind"] {
  const times = timesOf(rows);
  return Math.max(...times) > Math.min(...times) * WIDE ? "log" : "linear";
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

export function benchScale(rows: readonly BenchRow[], kind: BenchScale["kind"]): BenchScale {
  const times = timesOf(rows);
  if (kind === "linear") {
    const top = niceTop(Math.max(0, ...times));
    return { kind, at: (time) => clamp(time / top), ticks: [0, top / 2, top] };
  }
  // A decade below the least, so that its bar has a length.
  const low = Math.floor(Math.log10(Math.min(...times))) - (Math.log10(Math.min(...times)) % 1 < 0.3 ? 1 : 0);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...times))));
  // Five figures at most: more would touch each other.
  const step = Math.ceil((high - low) / 4);
  const ticks: number[] = [];
  for (let decade = low; decade <= high; decade += step) ticks.push(10 ** decade);
  return { kind, at: (time) => clamp((Math.log10(time) - low) / (high - low)), ticks };
}

/** How the chart is looked at; null: as its figures ask for. */
export const benchStore = createStore<{ scale: BenchScale["kind"] | null }>(() => ({ scale: null }));
