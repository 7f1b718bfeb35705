import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import path from "node:path";

/** Made from the sources, or nobody's: what .gitignore names, and git's own. */
const FOLDERS = new Set([
  ...["node_modules", "dist", ".git", ".cache", "coverage", "test-results", "playwright-report"],
]);
const MADE =
  /^(build|workspace|runtime-cpp\/build|examples\/[^/]+\/(build|generated|bench|k8s|CMakePresets\.json))$|\.(log|tsbuildinfo)$|(^|\/)\.(env|git)$/;

function* namesBelow(root, below) {
  for (const entry of readdirSync(path.join(root, below), { withFileTypes: true })) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (MADE.test(name)) continue;
    if (!entry.isDirectory()) yield name;
    else if (!FOLDERS.has(entry.name)) yield* namesBelow(root, name);
  }
}

const contentOf = (file, link) => (link ? readlinkSync(file) : readFileSync(file));

/**
 * Every source of the clone with a hash of what it is, with or without git: names relative to `root`, in order.
 * @returns {Map<string, string>}
 */
export function sourcesOf(root) {
  const found = new Map();
  for (const name of [...namesBelow(root, "")].toSorted((a, b) => (a < b ? -1 : 1))) {
    const file = path.join(root, name);
    const info = statSync(file, { throwIfNoEntry: false });
    // A link that leads nowhere, or to a folder, is what it says.
    const link = info === undefined || !info.isFile();
    const mode = !link && (info.mode & 0o111) !== 0 ? "x" : "-";
    found.set(name, createHash("sha256").update(mode).update(contentOf(file, link)).digest("hex"));
  }
  return found;
}
