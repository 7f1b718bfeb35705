import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printTopology, topologySchema, type Topology } from "../../src/model/topology/index.js";

export const GOLDEN_FOLDER: string = fileURLToPath(new URL("../golden/", import.meta.url));
export const EXAMPLES_FOLDER: string = fileURLToPath(new URL("../../../examples/", import.meta.url));

/** An example as it is drawn and written, without what was made of it where somebody ran it there. */
export function copyExample(name: string, to: string): void {
  const from = `${EXAMPLES_FOLDER}${name}`;
  cpSync(from, to, {
    recursive: true,
    filter: (source) => !["build", "generated"].includes(source.slice(from.length + 1)),
  });
}

/** A fresh folder; `using` it removes it. */
export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "penstock-codegen-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** What a topology looks like before its defaults are filled in. */
export type Sketch = Parameters<typeof topologySchema.parse>[0];

export function putTopology(dir: string, sketch: Sketch): Topology {
  const topology = topologySchema.parse(sketch);
  writeFileSync(join(dir, "topology.json"), printTopology(topology));
  return topology;
}

/** Every file below `dir` with its text; links are not followed. */
export function filesBelow(dir: string, below = ""): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(join(dir, below)).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    if (path === "build") continue;
    const stats = lstatSync(join(dir, path));
    if (stats.isSymbolicLink()) files.set(path, "a link");
    else if (stats.isDirectory()) for (const [inner, text] of filesBelow(dir, path)) files.set(inner, text);
    else files.set(path, readFileSync(join(dir, path), "utf8"));
  }
  return files;
}

export const copyFolder = (from: string, to: string): void => cpSync(from, to, { recursive: true });
