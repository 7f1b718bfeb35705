import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { filesBelow, GOLDEN_FOLDER, temporaryFolder } from "./support/project.js";

const RUNTIME = fileURLToPath(new URL("../../build/runtime/release/prefix/include", import.meta.url));

/** Each ends a comment, splices a line or leaves a string in a language that is generated. */
const TEXT = '*/ " \\\n#error spliced ??/\nint 1broken; \\';

/** A drawing in which every doc is the text, and how many there are. */
function withTexts(drawing: string): { text: string; count: number } {
  let count = 0;
  const text = JSON.stringify(JSON.parse(drawing), (key, value: unknown) => {
    if (key !== "doc") return value;
    count += 1;
    return TEXT;
  });
  return { text, count };
}

test("row 68: texts that end comments and splice lines compile unchanged", async () => {
  using folder = temporaryFolder();
  const { text, count } = withTexts(readFileSync(`${GOLDEN_FOLDER}ads/topology.json`, "utf8"));
  expect(count).toBeGreaterThan(3);
  writeFileSync(join(folder.path, "topology.json"), text);
  expect((await generateProject(folder.path)).problems.filter((p) => p.severity === "error")).toEqual([]);
  const headers = [...filesBelow(folder.path)].filter(([path]) => /^generated\/.*\.hpp$/.test(path));
  expect(headers.some(([, code]) => code.includes('*/ "'))).toBe(true);
  const unit = headers.map(([path]) => `#include "${join(folder.path, path)}"\n`).join("");
  const args = ["-std=c++20", "-trigraphs", "-Wall", "-Werror=comment", "-fsyntax-only", "-x", "c++", "-"];
  const includes = [`-I${RUNTIME}`, `-I${folder.path}`, `-I${join(folder.path, "generated")}`];
  const { status, stderr } = spawnSync("g++", [...includes, ...args], { input: unit, encoding: "utf8" });
  expect({ status, stderr: stderr.slice(0, 3000) }).toEqual({ status: 0, stderr: "" });
});
