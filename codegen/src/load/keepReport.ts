import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ConfinedFolder } from "../disk/index.js";
import { loadReportSchema, type LoadReport } from "../contract/index.js";
import { loadChart } from "./loadChart.js";

/** A day of seconds: what is larger was not written by us. */
const LARGEST = 32_000_000;

/** Where a project keeps its last load; no build and no fenced binary may write there. */
const LOAD_FOLDER = "build/load";

/** The paths of a kept load. */
export interface KeptReport {
  json: string;
  svg: string;
}

/** `path` is "" for the folder itself. */
const within = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);

function readFrom(root: string, path: string): LoadReport | null {
  try {
    const text = ConfinedFolder.within(realpathSync(root), (folder) =>
      folder.readIfPlain(within(path, "load.json"), LARGEST),
    );
    return loadReportSchema.safeParse(JSON.parse(text ?? "")).data ?? null;
  } catch {
    return null;
  }
}

/** A reader sees this load or the one before. */
async function keepIn(root: string, path: string, kept: LoadReport): Promise<KeptReport> {
  await ConfinedFolder.within(realpathSync(root), async (folder) => {
    await folder.replace(within(path, "load.json"), `${JSON.stringify(kept)}\n`);
    await folder.replace(within(path, "load.svg"), loadChart(kept));
  });
  return { json: join(root, path, "load.json"), svg: join(root, path, "load.svg") };
}

/** The load that was kept last in a folder; null when there is none or it cannot be read. */
export const readReport = (folder: string): LoadReport | null => readFrom(folder, "");

/** The load that was kept last of a project. */
export const readInProject = (projectDir: string): LoadReport | null => readFrom(projectDir, LOAD_FOLDER);

/** Writes `load.json` and `load.svg` into a folder, which is made; returns their paths. Throws system errors. */
export async function keepReport(folder: string, kept: LoadReport): Promise<KeptReport> {
  mkdirSync(folder, { recursive: true });
  return keepIn(folder, "", kept);
}

/**
 * Keeps a report where its project's last load is kept. Throws when a link stands in the way: a project may come
 * from somebody else.
 */
export const keepInProject = (projectDir: string, kept: LoadReport): Promise<KeptReport> =>
  keepIn(projectDir, LOAD_FOLDER, kept);
