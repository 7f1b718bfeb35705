import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { VERBS } from "../../src/cli/verbs.js";
import { BUILDS_TOGETHER } from "../support/build.js";
import { Penstock } from "./penstock.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(path.join(repository, "docs/cli.md"), "utf8");
const penstock = new Penstock();
afterAll(() => penstock.cleanUp());

test("docs/cli.md names every verb, and none that is not there", () => {
  const named = [...page.matchAll(/^\| `([a-z]+)[ `]/gm)].map(([, verb]) => verb);
  expect(new Set(named.filter((verb) => verb !== undefined && Object.hasOwn(VERBS, verb)))).toEqual(
    new Set(Object.keys(VERBS)),
  );
});

test("the commands of docs/cli.md work as they are written", () => {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands]) => commands ?? "");
  expect(blocks.length).toBeGreaterThan(0);
  const bin = path.join(penstock.folder, "bin");
  mkdirSync(bin);
  symlinkSync(path.join(repository, "codegen/bin/penstock.mjs"), path.join(bin, "penstock"));
  const env = {
    ...process.env,
    ...BUILDS_TOGETHER,
    PATH: `${bin}:${process.env["PATH"]}`,
    XDG_STATE_HOME: path.join(penstock.folder, "state"),
  };
  const ended = spawnSync("bash", ["-euxc", blocks.join("\n")], {
    cwd: penstock.folder,
    env,
    encoding: "utf8",
  });
  expect(ended.status, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("hello");
});
