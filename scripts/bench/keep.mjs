import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Obstacle } from "../setup/report.mjs";
import { chart } from "./chart.mjs";
import { chartsOf, performancePage } from "./page.mjs";

const keptFile = (root) => path.join(root, "build", "bench", "results.json");

/** Writes a file as a whole or not at all. */
export function writeWhole(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Keeps a run of everything in the build folder, for --redraw. */
export const keepRun = (root, kept) => writeWhole(keptFile(root), `${JSON.stringify(kept, null, 2)}\n`);

/** @throws {Obstacle} when there was none */
export function keptRun(root) {
  try {
    return JSON.parse(readFileSync(keptFile(root), "utf8"));
  } catch (error) {
    throw new Obstacle(`no run of everything is kept: ${error.message}`, "npm run bench");
  }
}

/** Draws docs/performance.md and its charts; charts of families that are gone go too. */
export function drawPage(root, kept) {
  const docs = path.join(root, "docs");
  const images = path.join(docs, "images", "performance");
  rmSync(images, { recursive: true, force: true });
  for (const { name, title, blocks } of chartsOf(kept.results)) {
    writeWhole(path.join(images, `${name}.svg`), chart(title, blocks));
  }
  writeWhole(path.join(docs, "performance.md"), performancePage(kept));
}
