import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { replaceFile } from "./replace-file.mjs";

const SKIPPED = new Set(["node_modules", "dist", ".git", "test-results", "playwright-report"]);

function filesBelow(root, found) {
  const info = statSync(root, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (!info.isDirectory()) {
    found.push(root);
    return;
  }
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    if (entry.isDirectory()) filesBelow(path.join(root, entry.name), found);
    else if (entry.isFile()) found.push(path.join(root, entry.name));
  }
}

/**
 * One hash over names and contents below `paths` (relative to `root`), whatever their times, with or
 * without git. `keep` leaves files out.
 */
export function contentHash(root, paths, keep = () => true) {
  const files = [];
  for (const one of paths) filesBelow(path.join(root, one), files);
  const hash = createHash("sha256");
  for (const file of files.map((each) => path.relative(root, each)).sort()) {
    if (!keep(file)) continue;
    const bytes = readFileSync(path.join(root, file));
    hash.update(`${file}\0${bytes.length}\0`);
    hash.update(bytes);
  }
  return hash.digest("hex");
}

const stampFile = (root, name) => path.join(root, "build", "stamps", `${name}.hash`);

/** What was built last under `name`; "" when nothing was. */
export function readStamp(root, name) {
  try {
    return readFileSync(stampFile(root, name), "utf8").trim();
  } catch {
    return "";
  }
}

export function writeStamp(root, name, hash) {
  replaceFile(stampFile(root, name), `${hash}\n`);
}
