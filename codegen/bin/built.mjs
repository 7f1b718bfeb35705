// What set-up built of the command line's sources, and whether they are still the same.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** What the command line and the server are made of; tests are not part of it. */
export const INPUTS = [
  "codegen/src",
  "templates/sources",
  "codegen/package.json",
  "package-lock.json",
  "scripts/setup/command-line.mjs",
];
export const isInput = (file) => !/\.test\.ts$|\/testing\//.test(file);

export const builtFolder = (root) => path.join(root, "codegen", "dist", "cli");
export const recordFile = (root) => path.join(builtFolder(root), "built.json");

/**
 * @typedef {object} Built
 * @property {string} entry  file in the folder that has `main`
 * @property {string[]} files  all that belongs to it
 * @property {string} hash  of what it was built from
 * @property {string} seen  that, by names, sizes and times
 */

/** What was built last; undefined when nothing was. @returns {Built | undefined} */
export function readRecord(root) {
  try {
    return JSON.parse(readFileSync(recordFile(root), "utf8"));
  } catch {
    return undefined;
  }
}

function filesBelow(root, name, found) {
  let entries;
  try {
    entries = readdirSync(`${root}/${name}`, { withFileTypes: true });
  } catch {
    found.push(name);
    return;
  }
  for (const entry of entries) {
    const below = `${name}/${entry.name}`;
    if (entry.isDirectory()) filesBelow(root, below, found);
    else if (isInput(below)) found.push(below);
  }
}

/** Names, sizes and times of the sources: quick to read, and equal when nobody has touched them. */
export function look(root) {
  const files = [];
  for (const input of INPUTS) filesBelow(root, input, files);
  const seen = files.map((file) => {
    const { size, mtimeMs } = statSync(`${root}/${file}`, { throwIfNoEntry: false }) ?? {};
    return `${file} ${size} ${mtimeMs}`;
  });
  return seen.sort().join("\n");
}

/** A package holds what was built and no sources: nothing there can be stale. */
const hasSources = (root) => existsSync(path.join(root, "codegen", "src"));

/**
 * The module to start, as a file. In a clone whose sources are others than what was built of them, it is
 * built anew first, and that is said: nobody wants to run what he has just changed as it was before.
 */
export async function builtEntry(root) {
  const record = readRecord(root);
  const fresh = record !== undefined && (!hasSources(root) || record.seen === look(root));
  const { entry } = fresh
    ? record
    : await (await import("../../scripts/setup/command-line.mjs")).currentCommandLine(root);
  return path.join(builtFolder(root), entry);
}
