import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { Penstock } from "./penstock.js";

const penstock = new Penstock();
afterAll(() => penstock.cleanUp());

test("nothing in the folder of temporary files is made or run by the command line", async () => {
  // Whoever made this folder first would have been asked for transpiled code by its name.
  const hostile = path.join(penstock.folder, "tmp");
  const planted = path.join(hostile, `tsx-${process.getuid?.()}`);
  mkdirSync(planted, { recursive: true, mode: 0o777 });
  writeFileSync(path.join(planted, "planted"), "");
  const env = { TMPDIR: hostile };
  const project = penstock.project("drawn", { penstock: 1, name: "drawn" });
  for (const args of [["--help"], ["validate", project], ["generate", project], ["doctor"]])
    expect((await penstock.run(args, { env })).stdout).not.toBe("");
  expect(readdirSync(hostile)).toEqual([path.basename(planted)]);
  expect(readdirSync(planted)).toEqual(["planted"]);
});

test("a bug's stack names the sources", async () => {
  const ended = await penstock.run(["schema"], { env: { NODE_OPTIONS: `--import ${crashing()}` } });
  expect(ended.stderr).toContain("PS990");
  expect(ended.stderr).toContain("codegen/src/cli/main.ts:");
  expect(ended.stderr).not.toContain("codegen/dist");
  expect(ended.code).toBe(4);
});

/** A module that makes what the command line prints fail as nothing foresees. */
function crashing(): string {
  const file = path.join(penstock.folder, "crash.mjs");
  writeFileSync(
    file,
    `const write = process.stdout.write;
     process.stdout.write = function () { process.stdout.write = write; throw new TypeError("odd"); };`,
  );
  return file;
}
