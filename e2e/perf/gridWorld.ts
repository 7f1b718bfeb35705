import type { LiveSample } from "@penstock/codegen/contract";
import type { World } from "./fakeBackend.js";
import { gridLayout, gridTopology } from "./gridTopology.js";

/** `count` services on a grid, each asking the next, all with figures that change in every sample. */
export function gridWorld(count: number): World {
  const topology = gridTopology(count);
  const { services } = topology;
  const calls = services.flatMap((service, index) => (service.calls.length > 0 ? [index] : []));
  return {
    topology: JSON.stringify(topology),
    layout: gridLayout(count),
    intervalMs: 100,
    schema: {
      type: "schema",
      version: 1,
      project: "grid",
      binary: "grid",
      topologyHash: `sha256:${"0".repeat(64)}`,
      runtime: "1.0.0",
      pid: 1,
      startedAtMs: Date.now(),
      intervalMs: 100,
      sampling: 3,
      services: services.map(({ name, kind }, id) => ({
        id,
        name,
        kind,
        pool: 0,
        implementations: [],
        written: true,
      })),
      calls: calls.map((index, id) => ({ id, from: index, to: index + 1 })),
      flows: [],
      pools: [
        {
          id: 0,
          name: "default",
          queue: 1024,
          overflow: "block",
          idle: "adaptive",
          priority: 0,
          threads: [{ name: "default-0", tid: 1, asked: [], actual: [0, 1] }],
        },
      ],
    },
    sample: (t, seq): LiveSample => ({
      type: "sample",
      t,
      seq,
      services: services.map((_, id) => [
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
      calls: calls.map((_, id) => [id, Math.round(t * (1 + (id % 13))), 0]),
      flows: [],
      stages: [],
      pools: [[0, 3, 1, 1, 0]],
      threads: [[0, 0, t * 4e5, t * 3e5, seq, 0, 0]],
      process: { cpuNs: t * 1e6, rssBytes: 2e7, threads: 3 },
    }),
  };
}
