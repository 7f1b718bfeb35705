import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Where tests live; bad examples of the checks are titled in tables beside them. */
const ROOMS = ["codegen/src", "codegen/test", "designer/src", "e2e/tests", "runtime-cpp"];
const TEST_FILE = /\.test\.(tsx?|mjs|cpp)$|\.spec\.ts$|\/validate\/(rules\/\w+\/|testing\/bad)\w+\.ts$/;

function testFiles(root, folder, found = []) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) testFiles(root, name, found);
    else if (TEST_FILE.test(name)) found.push(name);
  }
  return found;
}

/** `FaultNWhatItDoes` as words: `what it does`. */
const words = (name) =>
  name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase();

/** The rows that the tests of one file name, with their titles. @returns {{row: number, title: string}[]} */
export function rowsIn(file, text) {
  if (file.endsWith(".cpp")) {
    return [...text.matchAll(/^TEST\w*\(\s*\w+,\s*Fault(\d+)(\w*)\)/gm)].map(([, row, title]) => ({
      row: Number(row),
      title: words(title),
    }));
  }
  return [...text.matchAll(/(["'`])row (\d+): ((?:\\.|(?!\1).)*)\1/g)].map(([, , row, title]) => ({
    row: Number(row),
    title: title.replaceAll(/\\(.)/g, "$1"),
  }));
}

/**
 * Every test below `root` that is named after a row of the fault list.
 * @returns {{row: number, file: string, title: string}[]} by row, then file
 */
export const findTests = (root) =>
  ROOMS.flatMap((room) => testFiles(root, room))
    .flatMap((file) =>
      rowsIn(file, readFileSync(path.join(root, file), "utf8")).map((found) => ({ ...found, file })),
    )
    .toSorted((a, b) => a.row - b.row || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
