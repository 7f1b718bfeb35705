import { afterAll, beforeAll, expect, test } from "vitest";
import { Penstock } from "../cli/penstock.js";
import { slowProject } from "../support/slowProject.js";

const penstock = new Penstock();

let dir: string;
beforeAll(async () => {
  // Events block a thread for 50 ms: 100 a second keep five at work, 10 not one.
  dir = await slowProject(penstock, {
    milliseconds: 50,
    kind: "sync-remote",
    perSecond: 10,
    front: { threads: { from: 2, to: 12 } },
  });
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
