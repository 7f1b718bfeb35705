import { expect, test } from "vitest";
import { readFrame } from "./readFrame.js";

const sample = {
  type: "sample",
  t: 1,
  seq: 1,
  services: [[0, 5, 1, 0, 0, 1, 2, 3, 4]],
  implementations: [],
  calls: [],
  flows: [],
  stages: [],
  pools: [],
  threads: [],
  process: { cpuNs: 0, rssBytes: 0, threads: 1 },
};
const read = (extra: Record<string, unknown>): unknown => readFrame(JSON.stringify({ ...sample, ...extra }));

test("a sample of a binary that was built before outcomes and run times were sent is read", () => {
  const traces = [[0, 1.5, 20, "completed", [[0, 1, 0, 0, 5, 15, 0]]]];
  expect(read({ traces })).toEqual({ ...sample, traces });
});

test("outcomes, waits, runs and the calls of a trace are read as they come", () => {
  const rows = {
    outcomes: [[0, null, 3, 1, 1, 0]],
    serviceWaits: [[0, null, 1, 1, 1, 1, 1]],
    serviceRuns: [[0, 1, null, null, null, null, null]],
    runs: [],
    stageOutcomes: [[0, 0, 3, 1]],
    fused: [[0, 0, 1, 1, 1, 1, 1]],
    traces: [[0, 1.5, 20, "failed", [[0, 1, 0, 0, 5, 15, 0]], [[0, 0, 0, null, null, 6, null, null, 0]]]],
  };
  expect(read(rows)).toEqual({ ...sample, ...rows });
});

test.each([
  ["an outcome that is no number", { outcomes: [[0, null, "3", 1, 1, 0]] }],
  ["rows that are none", { serviceRuns: { 0: [] } }],
  ["a call that is no row", { traces: [[0, 1.5, 20, "failed", [], [7]]] }],
  ["a trace of another length", { traces: [[0, 1.5, 20, "failed", [], [], []]] }],
])("%s is no sample", (_, extra) => {
  expect(read(extra)).toBeNull();
});
