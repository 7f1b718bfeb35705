import { readdirSync, readFileSync } from "node:fs";
import { problem, quote, type Problem } from "../model/diagnostics/index.js";
import { templatesDir } from "../installation/index.js";
import type { NodePalette } from "../model/manifests/index.js";
import { readPackage, type NodeFolder, type NodePackage } from "./nodePackage.js";

/** Every kind of node that a project may use. */
export interface Nodes {
  /** The standard ones by their type, then the project's own. */
  packages: ReadonlyMap<string, NodePackage>;
  palette: NodePalette;
  /** What is wrong with the project's own. */
  problems: Problem[];
}

const STANDARD_FOLDER = `${templatesDir}/nodes`;
const OWN_FOLDER = "nodes";
const MOST_OWN = 256;

let standard: ReadonlyMap<string, NodePackage> | undefined;

/** The nodes that come with Penstock; read once a process. Throws when they are broken. */
export function standardNodes(): ReadonlyMap<string, NodePackage> {
  if (standard !== undefined) return standard;
  const folder: NodeFolder = {
    list: () => readdirSync(STANDARD_FOLDER).sort(),
    read: (path) => readIfThere(`${STANDARD_FOLDER}/${path}`),
  };
  const packages = new Map<string, NodePackage>();
  for (const type of folder.list("")) {
    const read = readPackage(folder, type, false);
    if (Array.isArray(read)) throw new Error(read.map(({ message }) => message).join("; "));
    packages.set(type, read);
  }
  return (standard = packages);
}

/** The standard nodes, and those in `nodes/` of the project in `folder`. */
export function loadNodes(folder?: NodeFolder): Nodes {
  const packages = new Map(standardNodes());
  const problems: Problem[] = [];
  // What has a dot is no node: a README, say.
  const names = (folder?.list(OWN_FOLDER) ?? []).filter((name) => !name.includes("."));
  if (names.length > MOST_OWN)
    problems.push(
      problem("PS707", "", `The project has ${names.length} nodes of its own, more than ${MOST_OWN}`),
    );
  for (const type of names.slice(0, MOST_OWN)) {
    const path = `${OWN_FOLDER}/${type}`;
    if (packages.has(type)) {
      const message = `The project's own node ${quote(type)} has the name of a standard one`;
      problems.push(problem("PS709", "", message, { file: path }));
      continue;
    }
    const read = readPackage(folder!, path, true);
    if (Array.isArray(read)) problems.push(...read);
    else packages.set(type, read);
  }
  const palette = new Map([...packages].map(([type, { manifest }]) => [type, manifest]));
  return { packages, palette, problems };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
