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
