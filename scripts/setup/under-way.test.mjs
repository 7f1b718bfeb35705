import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildAlone } from "./under-way.mjs";

let root;
let file;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "penstock-under-way-"));
  file = path.join(root, "release", "under-way.json");
});
afterEach(() => rmSync(root, { recursive: true }));
const quiet = { progress: () => {} };

test("two set-ups of a clone build one after the other, and the second says how far the first is", async () => {
  const order = [];
  let endFirst;
  const first = buildAlone(path.dirname(file), quiet, async (tell) => {
    tell(54, 110);
    await new Promise((resolve) => (endFirst = resolve));
    order.push("first");
  });
  let second = Promise.resolve();
  const words = await new Promise((resolve) => {
    second = buildAlone(path.dirname(file), { progress: resolve }, async () => order.push("second"));
  });
  expect(words).toBe(`process ${process.pid} builds it: 54/110`);
  endFirst();
  await first;
  await second;
  expect(order).toEqual(["first", "second"]);
  expect(existsSync(file)).toBe(false);
});

test("what a set-up left that was killed keeps nobody waiting", async () => {
  await buildAlone(path.dirname(file), quiet, async () => {});
  writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: "1", done: 3, total: 9 }));
  let seen;
  await buildAlone(path.dirname(file), quiet, async () => (seen = JSON.parse(readFileSync(file, "utf8"))));
  expect(seen).toMatchObject({ pid: process.pid, done: 0, total: 0 });
});

test("who waits can be interrupted, and a build that fails leaves nothing", async () => {
  const end = new AbortController();
  const failing = buildAlone(path.dirname(file), quiet, async () => {
    const waiting = buildAlone(
      path.dirname(file),
      { progress: () => end.abort() },
      async () => {},
      end.signal,
    );
    await expect(waiting).rejects.toThrow(/abort/i);
    throw new Error("no compiler");
  });
  await expect(failing).rejects.toThrow("no compiler");
  expect(existsSync(file)).toBe(false);
});
