import { randomBytes } from "node:crypto";
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { LoadReport } from "../protocol/index.js";
import { loadChart } from "./loadChart.js";

/** A day of seconds: what is larger was not written by us. */
const LARGEST = 32_000_000;

const figure = z.number().nullable();
const report = z.object({
  version: z.literal(1),
  target: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("flow"), binary: z.string(), flow: z.string() }),
    z.object({ kind: z.literal("url"), method: z.string(), url: z.string() }),
  ]),
  settings: z.object({
    start: z.number(),
    step: z.number(),
    periodS: z.number(),
    most: figure,
    forS: figure,
    recoveryS: z.number(),
    tolerance: z.number(),
  }),
  startedAtMs: z.number(),
  lengthS: figure,
  outcome: z.enum(["broke", "ended", "interrupted", "failed"]),
  heldPerSecond: figure,
  breakingPoint: z
    .object({
      perSecond: figure,
      brokeAt: z.number(),
      second: z.number(),
      fault: z.enum(["throughput", "losses", "waiting", "gone"]),
    })
    .nullable(),
  seconds: z.array(
    z.object({
      second: z.number(),
      target: z.number(),
      sent: z.number(),
      completed: z.number(),
      failed: z.number(),
      waiting: z.number(),
      queued: figure,
      p50Us: figure,
      p90Us: figure,
      p99Us: figure,
      maxUs: figure,
      busy: figure,
      held: z.boolean(),
    }),
  ),
  failures: z.array(z.object({ reason: z.string(), count: z.number() })),
});

/** Where a project keeps its last load. */
export const loadFolder = (projectDir: string): string => join(projectDir, "build", "load");

/** The load that was kept last; null when there is none or it cannot be read. */
export async function readReport(folder: string): Promise<LoadReport | null> {
  try {
    const path = join(folder, "load.json");
    const about = await lstat(path);
    if (!about.isFile() || about.size > LARGEST) return null;
    const parsed = report.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Renamed into place, so that a reader sees this load or the one before. */
async function replace(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(aside, text, { flag: "wx" });
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

/** Writes `load.json` and `load.svg` into a folder, which is made; resolves with their paths. Throws system errors. */
export async function keepReport(folder: string, kept: LoadReport): Promise<{ json: string; svg: string }> {
  await mkdir(folder, { recursive: true });
  const files = { json: join(folder, "load.json"), svg: join(folder, "load.svg") };
  await replace(files.json, `${JSON.stringify(kept)}\n`);
  await replace(files.svg, loadChart(kept));
  return files;
}

/**
 * Keeps a report where its project's last load is kept. Throws when a link leads that folder out of the
 * project: a project may come from somebody else.
 */
export async function keepInProject(
  projectDir: string,
  kept: LoadReport,
): Promise<{ json: string; svg: string }> {
  const folder = loadFolder(projectDir);
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== loadFolder(await realpath(projectDir)))
    throw new Error(`${folder} is a link that leads elsewhere`);
  return keepReport(folder, kept);
}
