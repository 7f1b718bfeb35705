import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoadSecond } from "../../src/contract/index.js";
import { documentOf, Penstock } from "../cli/penstock.js";
import { slowProject } from "../support/slowProject.js";

const penstock = new Penstock();

let dir: string;
beforeAll(async () => {
  // One thread that takes 4 ms an event: 250 a second.
  dir = await slowProject(penstock, { milliseconds: 4, perSecond: 20, front: { threads: [{}], queue: 64 } });
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

test("a running binary is loaded until it breaks, at its known capacity", async () => {
  expect(await penstock.run(["run", dir, "--detach", "--quiet"])).toMatchObject({ code: 0 });
  const args = ["--start", "100", "--step", "100", "--period", "2", "--recovery", "4", "--tolerance", "20"];
  const ended = await penstock.run(["load", "demo-server", ...args, "--json"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const document = documentOf(ended);
  expect(document).toMatchObject({
    ok: true,
    target: { kind: "flow", binary: "demo-server", flow: "Ticks" },
    outcome: "broke",
    heldPerSecond: 200,
    breakingPoint: { perSecond: 200, brokeAt: 300 },
  });
  const seconds = document["seconds"] as LoadSecond[];
  expect(seconds[1]?.completed).toBeGreaterThan(90);
  expect(seconds[1]?.completed).toBeLessThan(110);
  const last = seconds.at(-1);
  expect(last?.completed).toBeLessThan(255);
  expect(last?.queued).toBeGreaterThan(30);
  expect(last?.p99Us).toBeGreaterThan(100_000);
});
