import { realpathSync } from "node:fs";
import { KEPT_FIGURES } from "../build/index.js";
import { ConfinedFolder } from "../disk/index.js";
import { benchFiguresSchema, type BenchFigures, type BenchResult } from "../contract/index.js";

export const NO_FIGURES: BenchFigures = { results: [], skipped: [], measuredAtMs: null, previous: [] };

/** More than a project of 2,000 services has: what is larger was not written by us. */
const LARGEST = 4_000_000;

/** Figures that were kept of a project; none when there are none or they cannot be read. */
export function readFigures(projectDir: string): BenchFigures {
  try {
    return ConfinedFolder.within(realpathSync(projectDir), (folder) => {
      const kept = JSON.parse(folder.readIfPlain(KEPT_FIGURES, LARGEST) ?? "");
      return benchFiguresSchema.safeParse(kept).data ?? NO_FIGURES;
    });
  } catch {
    return NO_FIGURES;
  }
}

/** A reader sees these or those before. */
export const keepFigures = (projectDir: string, kept: BenchFigures): Promise<void> =>
  ConfinedFolder.within(realpathSync(projectDir), (folder) =>
    folder.replace(KEPT_FIGURES, JSON.stringify(kept)),
  );

/**
 * The figures after a run: what was measured takes the place of what was measured before, which
 * stays to compare with. A run of one service leaves those of the others as they are.
 */
export function figuresAfter(
  before: BenchFigures,
  run: Pick<BenchFigures, "results" | "skipped" | "measuredAtMs">,
  service: string | undefined,
): BenchFigures {
  if (service === undefined) return { ...run, previous: before.results };
  const others = <T extends { service: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.service !== service);
  const mine = (rows: readonly BenchResult[]): BenchResult[] => rows.filter((row) => row.service === service);
  return {
    results: [...others(before.results), ...run.results],
    skipped: [...others(before.skipped), ...run.skipped],
    measuredAtMs: run.measuredAtMs,
    previous: [...others(before.previous), ...mine(before.results)],
  };
}
