import type { LiveSample } from "@penstock/codegen/contract";
import type { World } from "./fakeBackend.js";
import { gridLayout, gridTopology } from "./gridTopology.js";
import { liveSchema } from "./liveSchema.js";

/** `count` services on a grid, each asking the next, all with figures that change in every sample. */
export function gridWorld(count: number): World {
  const topology = gridTopology(count);
  const schema = liveSchema(topology, 1);
  return {
    topology: JSON.stringify(topology),
    layout: gridLayout(count),
    intervalMs: 100,
    schema,
    sample: (t, seq): LiveSample => ({
      type: "sample",
      t,
      seq,
      services: schema.services.map(({ id }) => [
        id,
        Math.round(t * (1 + (id % 17)) * (1 + 0.01 * Math.random())),
        0,
        1,
        0,
        1000 + Math.random() * 4000,
        8000,
        9000 + Math.random() * 90_000,
        100_000,
      ]),
      implementations: [],
      calls: schema.calls.map(({ id }) => [id, Math.round(t * (1 + (id % 13))), 0]),
      flows: [],
      stages: [],
      pools: [[0, 3, 1, 1, 0]],
      threads: [[0, 0, t * 4e5, t * 3e5, seq, 0, 0]],
      process: { cpuNs: t * 1e6, rssBytes: 2e7, threads: 3 },
    }),
  };
}
