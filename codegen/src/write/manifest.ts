import type { ProjectFile } from "./projectFile.js";
import { contentHash } from "../disk/index.js";

/**
 * `generated/manifest.json`: what Penstock made, so that the next run knows its own files from the
 * user's. Lost with `generated/`, and then every existing file counts as the user's.
 */
export interface Manifest {
  /** Version of Penstock. */
  penstock: string;
  topologyHash: string;
  /** Files below generated/, with the hash they were written with. */
  files: Record<string, string>;
  /** Starts of the user's files as the drawing has them: a file with this hash is unedited. */
  starts: Record<string, string>;
  /** The user's files that belong to something drawn, whoever wrote them. */
  sources: string[];
  /** Id of the last rename in the designer that the user's files have followed. */
  followed?: string;
}

export const MANIFEST_PATH = "generated/manifest.json";

export const emptyManifest = (): Manifest => ({
  penstock: "",
  topologyHash: "",
  files: {},
  starts: {},
  sources: [],
});

export function printManifest(manifest: Manifest): string {
  const sorted = (record: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...manifest, files: sorted(manifest.files), starts: sorted(manifest.starts) }, null, 2)}\n`;
}

/** Reads what a manifest says; anything that is not one counts as none. */
export function parseManifest(text: string | undefined): Manifest {
  if (text === undefined) return emptyManifest();
  try {
    const value = JSON.parse(text) as Partial<Record<keyof Manifest, unknown>> | null;
    return {
      penstock: typeof value?.penstock === "string" ? value.penstock : "",
      topologyHash: typeof value?.topologyHash === "string" ? value.topologyHash : "",
      files: hashes(value?.files),
      starts: hashes(value?.starts),
      sources: Array.isArray(value?.sources) ? sourcesOf(value.sources) : [],
      ...(typeof value?.followed === "string" ? { followed: value.followed } : {}),
    };
  } catch {
    return emptyManifest();
  }
}

/** More than the largest drawing has: a manifest may be somebody's, and each of its files is looked for. */
const MOST_FILES = 50_000;

const sourcesOf = (paths: readonly unknown[]): string[] => [
  ...new Set(paths.slice(0, MOST_FILES).filter(isOwnPath)),
];

/** Paths in a manifest are somebody's text: only ones that could be Penstock's count. */
const isOwnPath = (path: unknown): path is string =>
  typeof path === "string" &&
  /^[\w.-]+(\/[\w.-]+)*$/.test(path) &&
  !path.split("/").some((part) => /^\.+$/.test(part));

function hashes(value: unknown): Record<string, string> {
  const result = Object.create(null) as Record<string, string>;
  if (typeof value === "object" && value !== null)
    for (const [path, hash] of Object.entries(value).slice(0, 2 * MOST_FILES))
      if (isOwnPath(path) && typeof hash === "string") result[path] = hash;
  return result;
}

/** The manifest's part that the tree decides. */
export function generatedHashes(tree: ReadonlyMap<string, ProjectFile>): Record<string, string> {
  const files: Record<string, string> = {};
  for (const file of tree.values()) if (file.owner === "generated") files[file.path] = contentHash(file.text);
  return files;
}
