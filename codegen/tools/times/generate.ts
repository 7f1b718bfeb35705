import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { generateProject } from "../../src/pipeline.js";
import { printTopology } from "../../src/model/topology/index.js";
import { manyServices } from "../../test/support/manyServices.js";

/**
 * How long a whole generation takes, from topology.json to files on disk: `npx tsx
 * codegen/tools/times/generate.ts [SERVICES=200] [BUNDLES=20] [RUNS=9] [FOLDER]`. Each run writes into an
 * empty folder; the first pays for reading the templates and is told apart. After each run as many
 * files are made bare, in the same folders: what the disk alone takes at that moment. Prints JSON:
 * milliseconds, and those of the first run by stage.
 *
 * Nothing is removed before the end: ext4 does not give out the inodes of files deleted in the last
 * seconds and searches past them, which makes each new file cost up to a millisecond. Two runs of
 * this within half a minute measure that, and the bare figure shows it; what is made in a FOLDER is
 * left to whoever named it.
 */
const [services = 200, bundles = 20, runs = 9] = process.argv.slice(2, 5).map(Number);
const kept = process.argv[5];
const text = printTopology(manyServices(services, bundles));
const times: number[] = [];
const bare: number[] = [];
const folders: string[] = [];
let first: unknown;
try {
  for (let run = 0; run < runs; run++) {
    const folder = newFolder();
    writeFileSync(join(folder, "topology.json"), text);
    const result = await generateProject(folder);
    if (!result.ok) throw new Error(JSON.stringify(result.problems[0]));
    first ??= result.timings;
    times.push(result.milliseconds);
    bare.push(makeBare(newFolder(), result.written));
  }
} finally {
  if (kept === undefined) for (const folder of folders) rmSync(folder, { recursive: true });
}
console.log(JSON.stringify({ first: times[0], later: times.slice(1), bare, stages: first }));

function newFolder(): string {
  const folder = mkdtempSync(join(kept ?? tmpdir(), "penstock-bench-"));
  folders.push(folder);
  return folder;
}

function makeBare(folder: string, paths: readonly string[]): number {
  const start = performance.now();
  const made = new Set<string>();
  for (const path of paths) {
    const place = join(folder, dirname(path));
    if (!made.has(place)) mkdirSync(place, { recursive: true });
    made.add(place);
    writeFileSync(join(folder, path), "x".repeat(2500), { flag: "wx" });
  }
  return performance.now() - start;
}
