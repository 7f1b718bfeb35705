import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentOf, Penstock } from "../cli/penstock.js";
import { slowProject } from "../support/slowProject.js";

const penstock = new Penstock();

let dir: string;
beforeAll(async () => {
  dir = await slowProject(penstock, { milliseconds: 4, perSecond: 200, front: { threads: [{}], queue: 64 } });
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

test("perf, where it is and may record, records a running binary", async () => {
  expect(await penstock.run(["run", dir, "--detach", "--quiet"])).toMatchObject({ code: 0 });
  const ended = await penstock.run(["profile", dir, "--seconds", "3", "--json"]);
  expect(ended, ended.stdout).toMatchObject({ code: 0 });
  const document = documentOf(ended);
  expect(document).toMatchObject({ ok: true, problems: [], processes: [{ name: "demo-server" }] });
  expect(document["samples"]).toBeGreaterThan(0);
  expect(readFileSync(path.join(dir, "build/profile/demo-server.svg"), "utf8")).toContain("of demo-server");
});
