import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { builtFolder, INPUTS, isInput, look, readRecord, recordFile } from "../../codegen/bin/built.mjs";
import { contentHash } from "./content-hash.mjs";
import { nodeModulesFresh } from "./node-modules.mjs";
import { replaceFile } from "./replace-file.mjs";
import { Obstacle, seconds } from "./report.mjs";

/** What was built, when it was built of the sources as they are; what was only touched is looked at once. */
function freshRecord(root) {
  const record = readRecord(root);
  if (record === undefined || !existsSync(path.join(builtFolder(root), record.entry))) return undefined;
  const seen = look(root);
  if (record.seen === seen) return record;
  if (record.hash !== contentHash(root, INPUTS, isInput)) return undefined;
  try {
    replaceFile(recordFile(root), JSON.stringify({ ...record, seen }));
  } catch {
    // It may belong to somebody else; then it is looked at each time.
  }
  return record;
}

export const commandLineFresh = (root) => freshRecord(root) !== undefined;

/** Plain texts by name: chunks, each with its map. Whatever is odd about them ends the build. */
async function bundle(root) {
  const { rolldown } = await import("rolldown");
  const odd = [];
  const built = await rolldown({
    cwd: root,
    input: { main: "codegen/src/cli/main.ts" },
    platform: "node",
    // ws takes them where they are installed; they are not.
    external: ["bufferutil", "utf-8-validate"],
    // Our own modules only declare, so that a verb takes no more along than what it names.
    treeshake: { moduleSideEffects: [{ test: /\/codegen\/src\//, sideEffects: false }] },
    onLog: (level, log) => level === "warn" && odd.push(log.message),
  });
  const { output } = await built.generate({
    dir: builtFolder(root),
    format: "esm",
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    comments: false,
    // Names stay: they are in stacks.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // Read by codegen/src/installation/sourceStack.ts alone, so no file names its map.
    sourcemap: "hidden",
  });
  await built.close();
  if (odd.length > 0) throw new Error(odd.join("\n"));
  const entry = output.find((one) => one.type === "chunk" && one.isEntry).fileName;
  return {
    entry,
    files: new Map(output.map((one) => [one.fileName, one.type === "chunk" ? one.code : one.source])),
  };
}

/** Builds the command line and the server in it. @throws {Obstacle} */
export async function buildCommandLine(root) {
  const hash = contentHash(root, INPUTS, isInput);
  const seen = look(root);
  let made;
  try {
    made = await bundle(root);
  } catch (error) {
    throw new Obstacle(`the command line did not build:\n${error.message}`, "npm run setup");
  }
  const folder = builtFolder(root);
  mkdirSync(folder, { recursive: true });
  const before = new Set(readRecord(root)?.files);
  for (const [name, text] of made.files)
    if (!existsSync(path.join(folder, name))) replaceFile(path.join(folder, name), text);
  const record = { entry: made.entry, files: [...made.files.keys()], hash, seen };
  replaceFile(recordFile(root), JSON.stringify(record));
  // A server that runs now still takes parts of what was built before from here.
  for (const name of readdirSync(folder)) {
    const kept =
      made.files.has(name) ||
      before.has(name) ||
      path.join(folder, name) === recordFile(root) ||
      name.endsWith(".new");
    if (!kept) rmSync(path.join(folder, name), { force: true });
  }
  return record;
}

/**
 * For the command line itself: what is built of the sources as they are, built now where it has to be.
 * Says so, or why it cannot and ends the process with 3.
 */
export async function currentCommandLine(root) {
  const startedAt = performance.now();
  try {
    const fresh = freshRecord(root);
    if (fresh !== undefined) return fresh;
    if (!nodeModulesFresh(root))
      throw new Obstacle("this clone is not set up, or not for these sources", "npm run setup");
    const record = await buildCommandLine(root);
    process.stderr.write(`penstock: built anew, its sources have changed (${seconds(startedAt)})\n`);
    return record;
  } catch (error) {
    const remedy = error instanceof Obstacle ? error.remedy : "npm run setup";
    process.stderr.write(`penstock: ${error.message}\n  What helps: ${remedy}\n`);
    process.exit(3);
  }
}
