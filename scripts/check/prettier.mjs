import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { cacheFolder } from "../setup/cache-folder.mjs";
import { run } from "../setup/child.mjs";
import { replaceFile } from "../setup/replace-file.mjs";

const PRETTIER = "node_modules/prettier";
/** What says how files are formatted, and which. */
const SETTINGS = [".prettierrc.json", ".prettierignore", ".editorconfig", `${PRETTIER}/package.json`];

const hashOf = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
};

/** Files of the clone, those that git does not know yet too; undefined without git. */
function filesOf(root) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });
  return status === 0 ? [...new Set(stdout.split("\0"))].filter((file) => file !== "") : undefined;
}

/** Hashes of names and contents that were found formatted, in any clone. */
function readKnown(file) {
  try {
    return new Set(readFileSync(file, "utf8").split("\n"));
  } catch {
    return new Set();
  }
}

function writeKnown(file, hashes) {
  try {
    replaceFile(file, hashes.join("\n"));
  } catch {
    // Where nothing can be kept, all of it is looked at each time.
  }
}

/** Whether everything below `root` is formatted; what was found so in any clone is not looked at again. */
export async function checkFormat(root, { env = process.env, tools = root } = {}) {
  const settings = SETTINGS.map((file) => path.join(file.startsWith(PRETTIER) ? tools : root, file));
  const salt = hashOf(
    process.version,
    ...settings.map((file) => (existsSync(file) ? readFileSync(file) : "")),
  );
  const keptIn = path.join(cacheFolder("prettier", env), salt);
  const known = readKnown(keptIn);
  const files = filesOf(root)
    // Prettier follows no links, and git names files that are gone.
    ?.filter((file) => lstatSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())
    .map((file) => ({ file, hash: hashOf(file, readFileSync(path.join(root, file))) }));
  const asked = files?.filter(({ hash }) => !known.has(hash)).map(({ file }) => file) ?? ["."];
  if (asked.length === 0) return { ok: true, output: "" };
  const script = path.join(tools, PRETTIER, "bin/prettier.cjs");
  const how = ["--check", "--log-level", "warn", "--ignore-unknown", "--no-error-on-unmatched-pattern"];
  const { code, tail } = await run(process.execPath, [script, ...how, ...asked], { cwd: root });
  if (code === 0 && files !== undefined)
    writeKnown(
      keptIn,
      files.map(({ hash }) => hash),
    );
  return { ok: code === 0, output: tail.join("\n") };
}
