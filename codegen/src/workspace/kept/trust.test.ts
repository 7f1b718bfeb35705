import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "../../disk/index.js";
import { TrustList } from "./trust.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-trust-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("keeps every yes of many that are said at once", async () => {
  const state = join(folder, "state");
  await mkdir(state);
  const projects = Array.from({ length: 12 }, (_, at) => join(folder, `project-${at}`));
  await Promise.all(projects.map((project) => mkdir(project)));
  // As the server and commands do: each has a list of its own. However long a busy machine takes.
  await Promise.all(projects.map((project) => new TrustList(state).add(project, false, 600_000)));
  const list = new TrustList(state);
  const kept = await Promise.all(projects.map((project) => list.isTrusted(project)));
  expect(kept).toEqual(projects.map(() => true));
  expect(await readdir(state)).toEqual(["trust.json"]);
});

test("says who holds the list for longer than a yes takes, and writes nothing", async () => {
  const lock = await takeLock(join(folder, "trust.lock"), "a test");
  await expect(new TrustList(folder).add(folder, false, 50)).rejects.toThrow(
    `process ${process.pid} (a test)`,
  );
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});
