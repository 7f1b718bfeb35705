import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { chart } from "../bench/chart.mjs";
import { writeWhole } from "../bench/keep.mjs";
import { Obstacle } from "../setup/report.mjs";
import { chartBlocks, experimentsPage } from "./page.mjs";

const keptFile = (root) => path.join(root, "build", "experiments", "results.json");

/** Keeps a run of everything in the build folder, for --redraw. */
export const keepExperiments = (root, kept) =>
  writeWhole(keptFile(root), `${JSON.stringify(kept, null, 2)}\n`);

/** @throws {Obstacle} when there was none */
export function keptExperiments(root) {
  try {
    return JSON.parse(readFileSync(keptFile(root), "utf8"));
  } catch (error) {
    throw new Obstacle(`no run of everything is kept: ${error.message}`, "npm run experiments");
  }
}

/** Draws docs/experiments.md and its chart. */
export function drawExperiments(root, kept) {
  const images = path.join(root, "docs", "images", "experiments");
  rmSync(images, { recursive: true, force: true });
  writeWhole(
    path.join(images, "overhead.svg"),
    chart("Events a second at the limit, by hand and with Penstock", chartBlocks(kept.rows)),
  );
  writeWhole(path.join(root, "docs", "experiments.md"), experimentsPage(root, kept));
}
