import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "./child.mjs";
import { contentHash, readStamp, writeStamp } from "./content-hash.mjs";
import { Obstacle } from "./report.mjs";

/** The designer is made of its own room, of codegen's browser-safe rooms and of its packages. */
const INPUTS = [
  "designer",
  "codegen/src/model",
  "codegen/src/contract",
  "templates/sources",
  "package-lock.json",
  "tsconfig.base.json",
];
const input = (file) => !/\.test\.tsx?$/.test(file);

export function designerFresh(root) {
  return (
    existsSync(path.join(root, "designer", "dist", "index.html")) &&
    readStamp(root, "designer") === contentHash(root, INPUTS, input)
  );
}

export async function buildDesigner(root, step) {
  const hash = contentHash(root, INPUTS, input);
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const { code, tail } = await run(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: path.join(root, "designer"),
    onLine: (line) => step.progress(line),
  });
  if (code !== 0)
    throw new Obstacle(`the designer did not build:\n${tail.slice(-30).join("\n")}`, "npm run setup");
  writeStamp(root, "designer", hash);
}
