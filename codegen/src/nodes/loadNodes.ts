import { readdirSync, readFileSync } from "node:fs";
import { problem, quote, type Problem } from "../model/diagnostics/index.js";
import { templatesDir } from "../installation/index.js";
import type { NodePalette } from "../model/manifests/index.js";
import { STANDARD_SOURCES, type SourcePalette } from "../model/sources/index.js";
import { readPackage, type NodeFolder, type NodePackage } from "./nodePackage.js";
import { readSource, type SourcePackage } from "./sourcePackage.js";

/** Every kind of node and source that a project may use. */
export interface Nodes {
  /** The standard ones by their type, then the project's own. */
  packages: ReadonlyMap<string, NodePackage>;
  palette: NodePalette;
  /** The standard sources by their kind, then the project's own. */
  sourcePackages: ReadonlyMap<string, SourcePackage>;
  sources: SourcePalette;
  /** What is wrong with the project's own. */
  problems: Problem[];
}

const STANDARD_FOLDER = `${templatesDir}/nodes`;
const STANDARD_SOURCE_FOLDER = `${templatesDir}/sources`;
const OWN_FOLDER = "nodes";
const OWN_SOURCE_FOLDER = "sources";
const MOST_OWN = 256;

let standard: ReadonlyMap<string, NodePackage> | undefined;

/** The nodes that come with Penstock; read once a process. Throws when they are broken. */
export function standardNodes(): ReadonlyMap<string, NodePackage> {
  if (standard !== undefined) return standard;
  const folder: NodeFolder = {
    list: () => readdirSync(STANDARD_FOLDER).sort(),
    read: (path) => readIfThere(`${STANDARD_FOLDER}/${path}`),
    isPlainFile: () => false,
  };
  const packages = new Map<string, NodePackage>();
  for (const type of folder.list("")) {
    const read = readPackage(folder, type, false);
    if (Array.isArray(read)) throw new Error(read.map(({ message }) => message).join("; "));
    packages.set(type, read);
  }
  return (standard = packages);
}

/** The standard sources, whose manifests are known without a disk, with their texts. */
export const standardSources = (): ReadonlyMap<string, SourcePackage> =>
  new Map(
    [...STANDARD_SOURCES].map(([kind, manifest]) => {
      const documentation = readIfThere(`${STANDARD_SOURCE_FOLDER}/${kind}/doc.md`) ?? "";
      return [kind, { manifest, documentation, own: false }];
    }),
  );

/** The standard nodes and sources, and those in `nodes/` and `sources/` of the project in `folder`. */
export function loadNodes(folder?: NodeFolder): Nodes {
  const packages = new Map(standardNodes());
  const problems: Problem[] = [];
  for (const type of namesIn(folder, OWN_FOLDER, "nodes", problems)) {
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
  const sourcePackages = loadSources(folder, problems);
  const sources = new Map([...sourcePackages].map(([kind, { manifest }]) => [kind, manifest]));
  return { packages, palette, sourcePackages, sources, problems };
}

function loadSources(
  folder: NodeFolder | undefined,
  problems: Problem[],
): ReadonlyMap<string, SourcePackage> {
  const packages = new Map(standardSources());
  // The name is a usual one: a file, and a folder with neither of the two, is something else.
  const isSource = (kind: string): boolean => {
    const path = `${OWN_SOURCE_FOLDER}/${kind}`;
    if (folder === undefined || folder.isPlainFile(path)) return false;
    return ["source.json", "source.hpp"].some((file) => folder.read(`${path}/${file}`) !== undefined);
  };
  for (const kind of namesIn(folder, OWN_SOURCE_FOLDER, "sources", problems, isSource)) {
    const path = `${OWN_SOURCE_FOLDER}/${kind}`;
    if (packages.has(kind)) {
      const message = `The project's own source ${quote(kind)} has the name of a standard one`;
      problems.push(problem("PS712", "", message, { file: path }));
      continue;
    }
    const read = readSource(folder!, path);
    if (Array.isArray(read)) problems.push(...read);
    else packages.set(kind, read);
  }
  return packages;
}

/** Folders of the project's own; what has a dot is none: a README, say. */
function namesIn(
  folder: NodeFolder | undefined,
  path: string,
  what: "nodes" | "sources",
  problems: Problem[],
  isOne: (name: string) => boolean = () => true,
): string[] {
  const names = (folder?.list(path) ?? []).filter((name) => !name.includes(".") && isOne(name));
  if (names.length > MOST_OWN) {
    const message = `The project has ${names.length} ${what} of its own, more than ${MOST_OWN}`;
    problems.push(problem(what === "nodes" ? "PS707" : "PS711", "", message));
  }
  return names.slice(0, MOST_OWN);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
