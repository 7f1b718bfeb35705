import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { replaceFile } from "../setup/replace-file.mjs";
import { isInput } from "./inputs.mjs";

/** What a section was green with: the tools, and each file that it may read, by its content. */
/** @typedef {{tools: string, files: Record<string, string>}} Stamp */

/**
 * Where stamps are kept: in the clone, and where machines that forget everything keep a cache folder, there.
 * undefined: nowhere, as nothing here was there before.
 */
export function stampFolder(root, env = process.env) {
  if (env.PENSTOCK_CACHE) return path.join(env.PENSTOCK_CACHE, "stamps");
  if (env.CI && env.CI !== "false") return undefined;
  return path.join(root, "build", "stamps", "sections");
}

const asked = (command, args) =>
  spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 << 20 }).stdout ?? "";
/** Variables that compilers, node and the product read. */
const TOLD =
  /^(CXX|CC|AR|LD|CPATH|NODE_OPTIONS|[CL]\w*FLAGS|CXXFLAGS|(CMAKE|ASAN|TSAN|UBSAN|GTEST|PENSTOCK)_\w+)$/;
const ASIDE = new Set(["PENSTOCK_CACHE"]);

/** The tools of all sections with their versions, and how they are told to work; one hash. */
export function toolsHash(env = process.env) {
  const hash = createHash("sha256").update(`${process.version} ${process.arch} ${process.getuid?.() === 0}`);
  for (const tool of [env.CXX || "c++", "g++", "clang++-16", "clang-tidy-16", "cmake", "ninja", "valgrind"])
    hash.update(asked(tool, ["--version"]));
  // Libraries, the browser and the rest, where the system knows them.
  hash.update(asked("dpkg-query", ["-W"]));
  for (const name of Object.keys(env).sort())
    if (TOLD.test(name) && !ASIDE.has(name)) hash.update(`${name}=${env[name]}\0`);
  return hash.digest("hex");
}

/** @returns {Stamp} what the section would be green with now */
export const stampOf = (section, sources, tools) => ({
  tools,
  files: Object.fromEntries([...sources].filter(([file]) => isInput(section, file))),
});

/** @returns {Stamp | undefined} what a section was green with last */
export function readSectionStamp(folder, section) {
  if (folder === undefined) return undefined;
  try {
    const stamp = JSON.parse(readFileSync(path.join(folder, `${section}.json`), "utf8"));
    return typeof stamp.tools === "string" && typeof stamp.files === "object" ? stamp : undefined;
  } catch {
    return undefined;
  }
}

export function writeSectionStamp(folder, section, stamp) {
  if (folder === undefined) return;
  replaceFile(path.join(folder, `${section}.json`), JSON.stringify(stamp));
}

/** Files that are others in one stamp than in the other, came or went. */
export const filesChanged = (before, now) =>
  [...new Set([...Object.keys(before.files), ...Object.keys(now.files)])].filter(
    (file) => before.files[file] !== now.files[file],
  );

export const isSame = (before, now) =>
  before !== undefined && before.tools === now.tools && filesChanged(before, now).length === 0;
