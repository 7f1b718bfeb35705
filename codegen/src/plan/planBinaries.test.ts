import { expect, test } from "vitest";
import { topologyHash, topologySchema } from "../model/topology/index.js";
import { planBinaries } from "./planBinaries.js";

test("a pool whose threads come and go starts with the fewest, and is told the most", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "a",
    binaries: [
      {
        name: "b",
        pools: [
          { name: "still", threads: [{ cpus: [0] }, {}] },
          { name: "moving", threads: { from: 2, to: 32 } },
        ],
      },
    ],
  });
  const [plan] = planBinaries({ topology, topologyHash: topologyHash(topology), services: [], flows: [] });
  const [still, moving] = plan?.configuration.pools ?? [];
  expect(still).toEqual({
    name: "still",
    threads: [{ cpus: [0] }, {}],
    idle: "adaptive",
    priority: 0,
    queue: 1024,
    overflow: "block",
  });
  expect(moving).toMatchObject({ name: "moving", threads: [{}, {}], upTo: 32 });
});

test("a rule has its presets with it, without what the binary does not have", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "a",
    flows: [],
    binaries: [
      {
        name: "b",
        pools: [{ name: "front", threads: 2 }],
        presets: [
          { name: "calm", pools: [{ name: "front", threads: 1 }] },
          {
            name: "busy",
            pools: [
              { name: "front", threads: [{ cpus: [1] }, {}] },
              { name: "gone", threads: 9 },
            ],
            joins: [{ flow: "Gone", stage: "log" }],
          },
          { name: "night", pools: [{ name: "front", threads: 7 }] },
        ],
        rules: [
          {
            of: "F",
            below: { perSecond: 10, preset: "calm" },
            above: { perSecond: 50.5, preset: "busy" },
            forSeconds: 2,
            doc: "For the evening",
          },
        ],
      },
    ],
  });
  const [plan] = planBinaries({ topology, topologyHash: topologyHash(topology), services: [], flows: [] });
  expect(plan?.configuration.rules).toEqual([
    {
      of: "F",
      below: { perSecond: 10, preset: "calm", pools: [{ name: "front", threads: [{}] }], joins: [] },
      above: {
        perSecond: 50.5,
        preset: "busy",
        pools: [{ name: "front", threads: [{ cpus: [1] }, {}] }],
        joins: [],
      },
      forSeconds: 2,
    },
  ]);
});
