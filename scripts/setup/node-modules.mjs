import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "./child.mjs";
import { Obstacle } from "./report.mjs";

/** Kept inside node_modules, so that it goes when the folder goes. */
const STAMP = ".penstock-lock-hash";

const lockHash = (root) =>
  createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");

/** npm's own record of what it installed: newer than the lock file after a plain `npm install`. */
function installedByHand(root, hash) {
  const installed = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")).packages ?? {};
  const there = JSON.parse(readFileSync(installed, "utf8")).packages ?? {};
  const same = Object.entries(lock).every(
    ([name, entry]) =>
      name === "" ||
      entry.optional === true ||
      !name.startsWith("node_modules/") ||
      there[name]?.version === entry.version,
  );
  if (same) writeFileSync(path.join(root, "node_modules", STAMP), `${hash}\n`);
  return same;
}

export function nodeModulesFresh(root) {
  const stamp = path.join(root, "node_modules", STAMP);
  const hash = lockHash(root);
  if (existsSync(stamp) && readFileSync(stamp, "utf8").trim() === hash) return true;
  return installedByHand(root, hash);
}

/** `npm ci` by the lock file, whatever NODE_ENV says: what builds is a development dependency; the stamp is written last, so that a killed run is repeated. */
export async function installNodeModules(root, step) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const { code, tail } = await run(command, [...first, "ci", "--include=dev", "--no-audit", "--no-fund"], {
    cwd: root,
    onLine: (line) => step.progress(line),
  });
  if (code === 127)
    throw new Obstacle("npm is not installed beside node", "install Node.js 20.11 or newer with npm");
  if (code !== 0)
    throw new Obstacle(
      `npm ci failed:\n${tail
        .filter((line) => line.startsWith("npm error"))
        .slice(0, 12)
        .join("\n")}`,
      "npm ci",
    );
  writeFileSync(path.join(root, "node_modules", STAMP), `${lockHash(root)}\n`);
}
