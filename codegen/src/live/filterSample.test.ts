import { expect, test } from "vitest";
import type { LiveSample, LiveSchema } from "../contract/index.js";
import { filterSample } from "./filterSample.js";

const service = (id: number, name: string, pool: number): LiveSchema["services"][number] => ({
  id,
  name,
  kind: "simple",
  pool,
  implementations: [],
  written: true,
});
const pool = (id: number, name: string): LiveSchema["pools"][number] => ({
  id,
  name,
  queue: 1,
  overflow: "block",
  idle: "park",
  priority: 0,
  threads: [],
});
const schema: LiveSchema = {
  type: "schema",
  version: 1,
  project: "p",
  binary: "app",
  topologyHash: "",
  runtime: "",
  pid: 1,
  startedAtMs: 0,
  intervalMs: 100,
  sampling: 3,
  services: [service(0, "A", 0), service(1, "B", 1), service(2, "C", 1)],
  calls: [
    { id: 0, from: 0, to: 1 },
    { id: 1, from: 1, to: 2 },
  ],
  flows: [
    {
      id: 0,
      name: "F",
      source: { kind: "rate", perSecond: 1 },
      stages: [{ id: "s", service: 2, role: "map", pool: null }],
    },
  ],
  pools: [pool(0, "front"), pool(1, "back")],
};
const cells = [null, null, null, null] as const;
const sample: LiveSample = {
  type: "sample",
  t: 1,
  seq: 1,
  services: [0, 1, 2].map((id) => [id, 1, 0, 0, 0, ...cells]),
  implementations: [[1, 0, 1, 0, ...cells]],
  calls: [
    [0, 1, 0],
    [1, 1, 0],
  ],
  flows: [[0, 1, 1, 0, 0, 0, ...cells]],
  stages: [[0, 0, 1, 0, ...cells]],
  waits: [[0, 0, ...cells]],
  runs: [[0, 0, ...cells]],
  stageOutcomes: [[0, 0, 1, 0]],
  fused: [[0, 0, ...cells]],
  outcomes: [
    [0, null, 1, 0, 0, 0],
    [2, null, 1, 0, 0, 0],
  ],
  serviceWaits: [[0, null, ...cells]],
  serviceRuns: [[2, null, ...cells]],
  traces: [[0, 1.5, 20, "completed", [[0, 1, 0, 0, 5, 15, 0]]]],
  pools: [
    [0, 0, 0, 1, 0],
    [1, 0, 0, 1, 0],
  ],
  threads: [
    [0, 0, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0, 0],
  ],
  stuck: [
    [0, 0, 0, 6000],
    [1, 0, 1, 7000],
  ],
  process: { cpuNs: 1, rssBytes: 2, threads: 3 },
};
const ids = (rows: readonly (readonly unknown[])[]): unknown[] => rows.map(([id]) => id);

test("should keep what is in view with its edges, its pool and the process", () => {
  const seen = filterSample(schema, sample, new Set(["service:A"]));
  expect([ids(seen.services), ids(seen.calls), ids(seen.pools), ids(seen.threads)]).toEqual([
    [0],
    [0],
    [0],
    [0],
  ]);
  expect(seen.stuck).toEqual([[0, 0, 0, 6000]]);
  expect([seen.flows, seen.stages, seen.implementations]).toEqual([[], [], []]);
  expect([seen.waits, seen.runs, seen.stageOutcomes, seen.fused, seen.traces]).toEqual([[], [], [], [], []]);
  expect([seen.outcomes, seen.serviceWaits, seen.serviceRuns].map((rows) => ids(rows ?? []))).toEqual([
    [0],
    [0],
    [],
  ]);
  expect(seen.process).toEqual(sample.process);
});

test("should keep a call to a service of another binary where that is in view", () => {
  const away: LiveSchema = {
    ...schema,
    services: schema.services.slice(0, 2),
    remotes: [{ id: 2, name: "C", binary: "far" }],
  };
  expect(ids(filterSample(away, sample, new Set(["service:C"])).calls)).toEqual([1]);
  expect(ids(filterSample(away, sample, new Set(["service:B"])).calls)).toEqual([0, 1]);
});

test("should keep the flow and the service of a stage in view, and all pools of a binary in view", () => {
  const seen = filterSample(schema, sample, new Set(["stage:F/s", "binary:app"]));
  expect([ids(seen.flows), ids(seen.stages), ids(seen.services)]).toEqual([[0], [0], [2]]);
  expect(ids(seen.pools)).toEqual([0, 1]);
  expect([seen.waits, seen.traces]).toEqual([sample.waits, sample.traces]);
  expect([seen.runs, seen.stageOutcomes, seen.fused]).toEqual([
    sample.runs,
    sample.stageOutcomes,
    sample.fused,
  ]);
  expect([seen.outcomes, seen.serviceWaits, seen.serviceRuns].map((rows) => ids(rows ?? []))).toEqual([
    [2],
    [],
    [2],
  ]);
  expect(filterSample(schema, sample, "all")).toBe(sample);
});
