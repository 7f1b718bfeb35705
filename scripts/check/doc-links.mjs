import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Documents that people read; design notes and packages' own are not ours to check. */
export function documentsOf(root) {
  const docs = path.join(root, "docs");
  const below = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? below(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
    );
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    .map((name) => path.join(root, name))
    .concat(existsSync(docs) ? below(docs).filter((file) => file.endsWith(".md")) : []);
}

/** Anchors that GitHub makes from a document's headings. */
const anchorsOf = (text) =>
  new Set(
    [...text.matchAll(/^#+\s+(.*)$/gm)].map(([, heading]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

/**
 * Links of `documents` that lead nowhere: files that are not there and anchors that no heading
 * makes. Addresses of the web are not followed.
 * @returns {{file: string, target: string}[]}
 */
export function deadLinks(documents) {
  const dead = [];
  for (const file of documents) {
    const text = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [name, anchor] = target.split("#");
      const place = name === "" ? file : path.join(path.dirname(file), name);
      if (!existsSync(place)) dead.push({ file, target });
      else if (anchor && place.endsWith(".md") && !anchorsOf(readFileSync(place, "utf8")).has(anchor))
        dead.push({ file, target });
    }
  }
  return dead;
}

/** Where a path in `code` may begin: `scripts/measure`, `app/rules/rate_rule`, `kernel/ui`, `nodes/*`. */
const BEGINNINGS = ["", "runtime-cpp/penstock", "designer/src", "templates"];
/** Made by a build or a generation: no clean clone has them. */
const MADE = new Set(["build", "dist", "generated"]);

const escaped = (text) => text.replaceAll(".", String.raw`\.`).replaceAll("*", ".*");

/** Whether there is such a file or folder; the ending of a file may be left out. */
function isThere(folder, [name, ...rest]) {
  if (!existsSync(folder)) return false;
  const wanted = new RegExp(`^${escaped(name)}${rest.length > 0 ? "" : String.raw`(\.\w+)*`}$`);
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) =>
      wanted.test(entry.name) &&
      (rest.length === 0 || (entry.isDirectory() && isThere(path.join(folder, entry.name), rest))),
  );
}

/**
 * Paths in `code` that begin with a folder of the house and lead to nothing.
 * @returns {{file: string, target: string}[]}
 */
export function lostPaths(root, documents) {
  const lost = [];
  for (const file of documents)
    for (const [, target] of readFileSync(file, "utf8").matchAll(/`([a-z][\w-]*(?:\/[\w.*-]+)+)`/g)) {
      const names = target.split("/");
      const homes = BEGINNINGS.map((at) => path.join(root, at)).filter((at) =>
        existsSync(path.join(at, names[0])),
      );
      // `src/services/...` is of somebody's project.
      if (homes.length === 0 || names[0] === "src" || names.some((name) => MADE.has(name))) continue;
      if (!homes.some((at) => isThere(at, names))) lost.push({ file, target });
    }
  return lost;
}
