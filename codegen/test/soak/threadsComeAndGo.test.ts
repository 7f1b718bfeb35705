import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Penstock } from "../cli/penstock.js";

const penstock = new Penstock();

/** Events block a thread for 50 ms: 100 a second keep five at work, 10 not one. */
const demo = {
  penstock: 1,
  name: "demo",
  messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
  services: [{ name: "Slow", request: "Number", response: "Number", kind: "sync-remote" }],
  flows: [
    {
      name: "Ticks",
      event: "Number",
      source: { kind: "rate", perSecond: 10 },
      stages: [{ id: "slow", service: "Slow", join: { pool: "front" } }],
    },
  ],
  bundles: [{ name: "All", services: ["Slow"], flows: ["Ticks"] }],
  binaries: [
    { name: "demo-server", bundles: ["All"], pools: [{ name: "front", threads: { from: 2, to: 12 } }] },
  ],
};

let dir: string;
beforeAll(async () => {
  dir = penstock.project("demo", demo);
  expect(await penstock.run(["generate", dir, "--quiet"])).toMatchObject({ code: 0 });
  const handler = path.join(dir, "src/services/slow.cpp");
  const text = readFileSync(handler, "utf8").replace(
    /\{[^{}]*throw_unimplemented[^{}]*\}/,
    "{ std::this_thread::sleep_for(std::chrono::milliseconds(50)); return request; }",
  );
  writeFileSync(handler, `#include <chrono>\n#include <thread>\n${text}`);
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

interface Pool {
  node: string;
  threads: number;
  adaptive: { on: boolean; by: string; steps: number };
}
async function front(): Promise<Pool> {
  const ended = await penstock.run(["monitor", dir, "--once", "--json"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const { pools } = JSON.parse(ended.stdout) as { pools: Pool[] };
  return pools.find(({ node }) => node.endsWith("/front"))!;
}
const set = async (...words: string[]) =>
  expect(await penstock.run(["set", dir, ...words, "--quiet"])).toMatchObject({ code: 0 });

test("a pool gets the threads that its load needs, loses them again, and heeds a person", async () => {
  expect(await penstock.run(["run", dir, "--detach", "--quiet"])).toMatchObject({ code: 0 });
  expect(await front()).toMatchObject({ threads: 2, adaptive: { on: true, by: "drawing", steps: 0 } });
  await set("source.set", "Ticks", "100");
  await expect.poll(async () => (await front()).threads, { interval: 1000 }).toBeGreaterThanOrEqual(5);
  const grown = await front();
  expect(grown.threads).toBeLessThanOrEqual(12);
  expect(grown.adaptive).toMatchObject({ on: true, by: "controller" });
  await set("source.set", "Ticks", "10");
  await expect.poll(async () => (await front()).threads, { interval: 1000 }).toBe(2);
  await set("pool.resize", "front", "4");
  expect(await front()).toMatchObject({ threads: 4, adaptive: { on: false, by: "person" } });
  await set("pool.adapt", "front", "on");
  await expect.poll(async () => (await front()).threads, { interval: 1000 }).toBe(2);
});
