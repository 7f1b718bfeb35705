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
