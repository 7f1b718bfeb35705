import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { generateProject } from "../../src/pipeline.js";
import { isKept } from "../support/golden.js";
import { filesBelow, GOLDEN_FOLDER } from "../support/project.js";

/** Makes the golden projects again: `npx tsx codegen/test/golden/refresh.ts`, then read the diff. */
async function refresh(): Promise<void> {
  for (const entry of readdirSync(GOLDEN_FOLDER, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const dir = `${GOLDEN_FOLDER}${entry.name}`;
    for (const name of readdirSync(dir))
      if (name !== "topology.json") rmSync(`${dir}/${name}`, { recursive: true });
    const { ok, problems, written } = await generateProject(dir);
    if (!ok) throw new Error(`${entry.name}: ${problems.map((problem) => problem.message).join("; ")}`);
    for (const path of filesBelow(dir).keys()) if (!isKept(entry.name, path)) rmSync(`${dir}/${path}`);
    removeEmpty(dir);
    process.stdout.write(`${entry.name}: ${written.length} files\n`);
  }
}

/** Folders of which nothing is kept. */
function removeEmpty(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(`${dir}/${entry.name}`);
  if (readdirSync(dir).length === 0) rmdirSync(dir);
}

void refresh();
