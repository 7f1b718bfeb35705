import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoadSecond } from "../../src/contract/index.js";
import { documentOf, Penstock } from "../cli/penstock.js";

const penstock = new Penstock();

/** One thread that takes 4 ms an event: 250 a second. */
const demo = {
  penstock: 1,
  name: "demo",
  messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
  services: [{ name: "Slow", request: "Number", response: "Number" }],
  flows: [
    {
      name: "Ticks",
      event: "Number",
      source: { kind: "rate", perSecond: 20 },
      stages: [{ id: "slow", service: "Slow", join: { pool: "front" } }],
    },
  ],
  bundles: [{ name: "All", services: ["Slow"], flows: ["Ticks"] }],
  binaries: [{ name: "demo-server", bundles: ["All"], pools: [{ name: "front", threads: [{}], queue: 64 }] }],
};

let dir: string;
beforeAll(async () => {
  dir = penstock.project("demo", demo);
  expect(await penstock.run(["generate", dir, "--quiet"])).toMatchObject({ code: 0 });
  const handler = path.join(dir, "src/services/slow.cpp");
  const text = readFileSync(handler, "utf8").replace(
    /\{[^{}]*throw_unimplemented[^{}]*\}/,
    "{ std::this_thread::sleep_for(std::chrono::milliseconds(4)); return request; }",
  );
  writeFileSync(handler, `#include <chrono>\n#include <thread>\n${text}`);
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
