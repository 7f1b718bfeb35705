import { randomBytes } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { BenchFigures, BenchResult } from "../protocol/index.js";

export const NO_FIGURES: BenchFigures = { results: [], skipped: [], measuredAtMs: null, previous: [] };

/** More than a project of 2,000 services has: what is larger was not written by us. */
const LARGEST = 4_000_000;

const owner = { name: z.string(), service: z.string(), implementation: z.string().optional() };
const result = z.object({
  ...owner,
  unit: z.literal("ns/call"),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  runs: z.number(),
});
const skip = z.object({ ...owner, reason: z.string(), failed: z.boolean() });
const figures = z.object({
  results: z.array(result),
  skipped: z.array(skip),
  measuredAtMs: z.number().nullable(),
  previous: z.array(result),
});

const pathIn = (projectDir: string): string => join(projectDir, "build", "release", "bench.json");

/** Figures that were kept in the project's build folder; none when there are none or they cannot be read. */
export async function readFigures(projectDir: string): Promise<BenchFigures> {
  try {
    const path = pathIn(projectDir);
    const about = await lstat(path);
    if (!about.isFile() || about.size > LARGEST) return NO_FIGURES;
    const parsed = figures.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? (parsed.data as BenchFigures) : NO_FIGURES;
  } catch {
    return NO_FIGURES;
  }
}

/** Renamed into place, so that a reader sees these or those before. */
export async function keepFigures(projectDir: string, kept: BenchFigures): Promise<void> {
  const path = pathIn(projectDir);
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(aside, JSON.stringify(kept), { flag: "wx" });
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

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
