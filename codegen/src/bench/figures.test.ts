import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BenchFigures, BenchResult } from "../contract/index.js";
import { figuresAfter, keepFigures, NO_FIGURES, readFigures } from "./figures.js";

const result = (service: string, median: number): BenchResult => ({
  name: service,
  service,
  unit: "ns/call",
  median,
  min: median - 1,
  max: median + 1,
  runs: 5,
});
const before: BenchFigures = {
  results: [result("Add", 200), result("Sub", 300)],
  skipped: [{ name: "Div", service: "Div", reason: "its handler is not written yet", failed: false }],
  measuredAtMs: 1,
  previous: [result("Sub", 310)],
};

let dir: string;
let kept: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "penstock-figures-"));
  kept = join(dir, "build", "kept");
  await mkdir(kept, { recursive: true });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("should compare a whole run with all of the one before", () => {
  const run = { results: [result("Add", 150)], skipped: [], measuredAtMs: 2 };
  expect(figuresAfter(before, run, undefined)).toEqual({ ...run, previous: before.results });
});

test("should keep the figures of the others when one service was measured", () => {
  const run = { results: [result("Add", 150)], skipped: [], measuredAtMs: 2 };
  expect(figuresAfter(before, run, "Add")).toEqual({
    results: [result("Sub", 300), result("Add", 150)],
    skipped: before.skipped,
    measuredAtMs: 2,
    previous: [result("Sub", 310), result("Add", 200)],
  });
});

test("should keep figures from one run to the next, and leave nothing else behind", async () => {
  expect(readFigures(dir)).toEqual(NO_FIGURES);
  await keepFigures(dir, before);
  expect(readFigures(dir)).toEqual(before);
  expect(await readdir(kept)).toEqual(["bench.json"]);
});

test.each(["{", "[]", '{"results":[{"median":"fast"}]}'])(
  "should begin anew when the file holds %s",
  async (text) => {
    await writeFile(join(kept, "bench.json"), text);
    expect(readFigures(dir)).toEqual(NO_FIGURES);
  },
);

test("should not follow a link that a project brings along", async () => {
  const outside = join(dir, "outside.json");
  await writeFile(outside, JSON.stringify(before));
  await symlink(outside, join(kept, "bench.json"));
  expect(readFigures(dir)).toEqual(NO_FIGURES);
});
