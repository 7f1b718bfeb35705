import { readdirSync, readFileSync, statSync } from "node:fs";
import { problem, quote, type Problem, type ProblemCode } from "../model/diagnostics/index.js";
import { templatesDir } from "../installation/index.js";
import type { NodePalette } from "../model/manifests/index.js";
import { STANDARD_SOURCES, type SourcePalette } from "../model/sources/index.js";
import { readNode, type NodePackage } from "./nodePackage.js";
import type { Package, PackageFolder } from "./readPackage.js";
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
const MOST_OWN = 256;

let standard: ReadonlyMap<string, NodePackage> | undefined;

/** The nodes that come with Penstock; read once a process. Throws when they are broken. */
export function standardNodes(): ReadonlyMap<string, NodePackage> {
  if (standard !== undefined) return standard;
  const folder: PackageFolder = {
    list: () => readdirSync(STANDARD_FOLDER).sort(),
    read: (path) => readIfThere(`${STANDARD_FOLDER}/${path}`),
    stat: (path) => statSync(`${STANDARD_FOLDER}/${path}`, { throwIfNoEntry: false }),
    isPlainFile: () => false,
  };
  const packages = new Map<string, NodePackage>();
  for (const type of folder.list("")) {
    const read = readNode(folder, type, false);
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
export function loadNodes(folder?: PackageFolder): Nodes {
  const packages = new Map(standardNodes());
  const sourcePackages = new Map(standardSources());
  const problems =
    folder === undefined
      ? []
      : [
          ...loadOwn(folder, OWN_NODES, packages, (path) => readNode(folder, path, true)),
          ...loadOwn(folder, OWN_SOURCES, sourcePackages, (path) => readSource(folder, path)),
        ];
  const palette = manifestsOf(packages);
  return { packages, palette, sourcePackages, sources: manifestsOf(sourcePackages), problems };
}

const manifestsOf = <Manifest>(packages: ReadonlyMap<string, Package<Manifest>>): Map<string, Manifest> =>
  new Map([...packages].map(([name, { manifest }]) => [name, manifest]));

/** What there may be of a project's own in a folder of that name. */
interface Own {
  folder: "nodes" | "sources";
  what: string;
  tooMany: ProblemCode;
  taken: ProblemCode;
  /** One of these makes a folder one; without them every folder is. */
  marks?: readonly string[];
}
const OWN_NODES: Own = { folder: "nodes", what: "node", tooMany: "PS707", taken: "PS709" };
/** The name is a usual one: a file, and a folder with neither of the two, is something else. */
const OWN_SOURCES: Own = {
  folder: "sources",
  what: "source",
  tooMany: "PS711",
  taken: "PS712",
  marks: ["source.json", "source.hpp"],
};

/** Adds the project's own to the standard ones in `packages`. Returns what is wrong with them. */
function loadOwn<P extends Package<unknown>>(
  folder: PackageFolder,
  own: Own,
  packages: Map<string, P>,
  readOne: (path: string) => P | Problem[],
): Problem[] {
  const problems: Problem[] = [];
  const isOne = (path: string): boolean =>
    own.marks === undefined ||
    (!folder.isPlainFile(path) && own.marks.some((file) => folder.stat(`${path}/${file}`) !== undefined));
  // What has a dot is none: a README, say.
  const names = folder
    .list(own.folder)
    .filter((name) => !name.includes(".") && isOne(`${own.folder}/${name}`));
  if (names.length > MOST_OWN) {
    const message = `The project has ${names.length} ${own.folder} of its own, more than ${MOST_OWN}`;
    problems.push(problem(own.tooMany, "", message));
  }
  for (const name of names.slice(0, MOST_OWN)) {
    const path = `${own.folder}/${name}`;
    if (packages.has(name)) {
      const message = `The project's own ${own.what} ${quote(name)} has the name of a standard one`;
      problems.push(problem(own.taken, "", message, { file: path }));
      continue;
    }
    const read = readOne(path);
    if (Array.isArray(read)) problems.push(...read);
    else packages.set(name, read);
  }
  return problems;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
