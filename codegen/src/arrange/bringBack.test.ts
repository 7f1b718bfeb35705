import { expect, it } from "vitest";
import type { Command, LiveSchema } from "../contract/index.js";
import { topologySchema } from "../model/topology/index.js";
import { bringBack, poolBefore } from "./index.js";

const rule = (of: string, below: string, above: string, on = true) => ({
  ...{ of, on, below: { perSecond: 1, preset: below }, above: { perSecond: 2, preset: above } },
});
const schema = {
  pools: [
    { name: "models", threads: [{}, {}, {}], adaptive: { from: 2, to: 32, on: true } },
    { name: "front", threads: [{}], adaptive: { from: 1, to: 4, on: false } },
  ],
  rules: [
    rule("Views", "calm", "busy"),
    rule("Clicks", "calm", "calm"),
    rule("GetAd", "busy", "busy", false),
  ],
} as unknown as LiveSchema;
const preset = (name: string, pool: string) => ({ name, pools: [{ name: pool, threads: [{}] }] });
const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  binaries: [{ name: "ads", presets: [preset("calm", "front"), preset("busy", "models")] }],
});

it("a pool is brought back with its controller and the rules about it, in that order", async () => {
  const asked: Command[] = [];
  const before = poolBefore(schema, "models", topology, "ads");
  const back = await bringBack(async (one) => asked.push(one), before);
  expect(back).toEqual({ isAsBefore: true, words: "models is as it was" });
  expect(asked).toEqual([
    { method: "pool.resize", params: { pool: "models", threads: 3 } },
    { method: "pool.adapt", params: { pool: "models", adapt: true } },
    { method: "rule.set", params: { rule: "Views", on: true } },
  ]);
});

it("a controller that rested goes on resting, and a rule may be about the pool where no drawing says", () => {
  expect(poolBefore(schema, "front", topology, "ads")).toMatchObject({
    bounds: null,
    rules: ["Views", "Clicks"],
  });
  expect(poolBefore(schema, "models", undefined, "ads").rules).toEqual(["Views", "Clicks"]);
});

it("what is refused, and what would have come behind it, is said", async () => {
  const refusing = async ({ method }: Command) => {
    if (method === "pool.adapt") throw new Error("thread 0 is pinned");
  };
  expect(await bringBack(refusing, poolBefore(schema, "models", topology, "ads"))).toEqual({
    isAsBefore: false,
    words:
      "models is not as it was: thread 0 is pinned. Not brought back: 2 to 32 threads that come and go, the rule of Views",
  });
});
