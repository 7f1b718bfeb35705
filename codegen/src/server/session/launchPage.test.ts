import { mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LIMITS } from "../http/limits.js";
import { makeLaunchPage, removeLaunchPage, removeStaleLaunchPages } from "./launchPage.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penstock-launch-"));
  process.env["XDG_STATE_HOME"] = root;
});
afterEach(() => rm(root, { recursive: true }));

test("a page leads to its address, is not named after the code, and goes when the code is used", async () => {
  const page = await makeLaunchPage('http://127.0.0.1:7000/?project="><b>#code=once');
  expect(page).not.toContain("once");
  const text = await readFile(page, "utf8");
  expect(text).toContain('content="0; url=http://127.0.0.1:7000/?project=&quot;&gt;&lt;b&gt;#code=once"');
  await removeLaunchPage("another");
  expect(await readdir(dirname(page))).toHaveLength(1);
  await removeLaunchPage("once");
  expect(await readdir(dirname(page))).toEqual([]);
});

test("pages whose codes are too old are removed, by the next that is made too", async () => {
  const old = await makeLaunchPage("http://127.0.0.1:7000/#code=old");
  const long = new Date(Date.now() - LIMITS.codeLifetimeMs - 60_000);
  await utimes(old, long, long);
  const young = await makeLaunchPage("http://127.0.0.1:7000/#code=young");
  expect((await readdir(dirname(old))).map((name) => join(dirname(old), name))).toEqual([young]);
  await removeStaleLaunchPages();
  expect(await readdir(dirname(old))).toHaveLength(1);
});
