import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyExample } from "../support/project.js";
import { Penstock } from "./penstock.js";

/** The example hello, with a second binary that serves the same. What runs is in apart.test.ts. */
const penstock = new Penstock();
let dir: string;

interface Drawn {
  bundles: { name: string }[];
  binaries: { name: string; bundles: string[] }[];
}

beforeAll(() => {
  dir = mkdtempSync(path.join(penstock.folder, "resolve-"));
  copyExample("hello", dir);
  const file = path.join(dir, "topology.json");
  const drawn = JSON.parse(readFileSync(file, "utf8")) as Drawn;
  drawn.binaries.push({ name: "second", bundles: drawn.bundles.map(({ name }) => name) });
  writeFileSync(file, JSON.stringify(drawn));
});
afterAll(() => penstock.cleanUp());

const resolve = (...args: string[]) => penstock.run(["resolve", dir, ...args]);

test("of several binaries that serve it the first one is asked, whichever is looked at", async () => {
  const first = await resolve("Addition");
  expect(first.code).toBe(3);
  expect(first.stdout).toMatch(/^Addition leads to hello, as \w+\/Addition\n$/);
  expect(first.stderr).toContain("second serves it too and is not asked: hello comes first in the drawing.");
  expect(first.stderr).toContain("hello is not running");
  const second = await resolve("second/Addition");
  expect(second.stdout).toMatch(/^Addition leads to second, as /);
  expect(second.stderr).toContain("hello serves it too, and is the one that is asked");
});

test("what is not there is said, with what was meant", async () => {
  const near = await resolve("Additio");
  expect(near).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean Addition?") as string,
  });
  const wrong = await resolve("third/Addition");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("hello, second does.") as string });
  expect((await resolve("a/b/c")).code).toBe(2);
});
