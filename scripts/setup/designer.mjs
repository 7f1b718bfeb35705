import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "./child.mjs";
import { contentHash, readStamp, writeStamp } from "./content-hash.mjs";
import { Obstacle } from "./report.mjs";

/** The rooms of codegen that the browser may have: its package exports them, and nothing else. */
export const roomsOfCodegen = (root) =>
  Object.values(JSON.parse(readFileSync(path.join(root, "codegen", "package.json"), "utf8")).exports).map(
    (index) => path.posix.join("codegen", path.posix.dirname(index)),
  );

/** The designer is made of its own room, of codegen's browser-safe rooms and of its packages. */
const inputs = (root) => [
  "designer",
  "codegen/package.json",
  ...roomsOfCodegen(root),
  "templates/sources",
  "scripts/setup/designer.mjs",
  "package-lock.json",
  "tsconfig.base.json",
];
const isInput = (file) => !/\.test\.tsx?$|^designer\/src\/testing\//.test(file);

/** What the designer is built of, as one hash. */
export const designerHash = (root) => contentHash(root, inputs(root), isInput);

export function designerFresh(root) {
  return (
    existsSync(path.join(root, "designer", "dist", "index.html")) &&
    readStamp(root, "designer") === designerHash(root)
  );
}

export async function buildDesigner(root, step) {
  const hash = designerHash(root);
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const { code, tail } = await run(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: path.join(root, "designer"),
    // Whatever the shell says: else React is the one for its own development, many times as slow.
    env: { NODE_ENV: "production" },
    onLine: (line) => step.progress(line),
  });
  if (code !== 0)
    throw new Obstacle(`the designer did not build:\n${tail.slice(-30).join("\n")}`, "npm run setup");
  writeStamp(root, "designer", hash);
}
