import { expect, test } from "vitest";
import type { EventTrace, LiveSchema } from "./live.js";
import { askedRows, traceRows } from "./traceRows.js";

const service = (id: number, name: string, implementations: string[] = []) =>
  ({ id, name, kind: "simple", pool: 0, implementations, written: true }) as const;
const pool = (id: number, name: string) =>
  ({ id, name, queue: 1, overflow: "block", idle: "park", priority: 0, threads: [] }) as const;
const schema = {
  services: [service(0, "GetAd"), service(1, "ProduceAd", ["ModelA", "ModelB"]), service(2, "Store")],
  pools: [pool(0, "front"), pool(1, "models")],
  flows: [
    {
      id: 4,
      name: "Impressions",
      source: { kind: "rate", perSecond: 1 },
      stages: [
        { id: "pick", service: 0, role: "map", pool: 0 },
        { id: "log", service: 2, role: "side-effect", pool: null },
      ],
    },
  ],
} as unknown as LiveSchema;
const rowsOf = (trace: EventTrace) =>
  traceRows(schema, trace).map(({ depth, service: name, implementation, thread, waitUs, runUs }) => [
    depth,
    name,
    implementation,
    thread,
    waitUs,
    runUs,
  ]);

test("calls stand below who made them, with what they called themselves", () => {
  expect(
    rowsOf([
      4,
      1,
      900,
      "completed",
      [
        [1, 0, 0, 700, 0, 100, 0],
        [0, 0, 0, 0, 5, 690, 0],
      ],
      [
        [1, 1, 0, 1, 3, 10, 20, 300, 0],
        [1, 1, 1, 1, 4, 11, 25, 400, 1],
        [2, 2, 0, 0, 0, 40, 1, 2, 0],
      ],
    ]),
  ).toEqual([
    [0, "GetAd", "", "front·0", 5, 690],
    [1, "ProduceAd", "ModelA", "models·3", 20, 300],
    [2, "Store", "", "front·0", 1, 2],
    [1, "ProduceAd", "ModelB", "models·4", 25, 400],
    [0, "Store", "", "front·0", 0, 100],
  ]);
});

test("a stage that another binary runs has its name and that binary's, and so has the call that it is", () => {
  const step: EventTrace[4][number] = [1, 0, 0, 0, 0, 300, 0];
  const away = {
    ...schema,
    services: schema.services.slice(0, 2),
    remotes: [{ id: 2, name: "Store", binary: "b" }],
  };
  const rows = traceRows(away, [4, 1, 300, "completed", [step], [[0, 2, 0, 0, 0, 1, 0, 290, 0]]]);
  expect(rows.map(({ depth, stage, service: name, away: there }) => [depth, stage, name, there])).toEqual([
    [0, "log", "Store", "b"],
    [1, "log", "Store", "b"],
  ]);
  expect(traceRows(schema, [4, 1, 300, "completed", [step], []])[0]).not.toHaveProperty("away");
});

test("a call that had not begun, or not ended, says so", () => {
  const step: EventTrace[4][number] = [0, 0, 0, 0, 5, 690, 0];
  expect(
    rowsOf([
      4,
      1,
      700,
      "failed",
      [step],
      [
        [0, 1, 0, null, null, 10, null, null, 0],
        [0, 1, 1, 1, 0, 10, 600, null, 0],
      ],
    ]).slice(1),
  ).toEqual([
    [1, "ProduceAd", "ModelA", "", null, null],
    [1, "ProduceAd", "ModelB", "models·0", 600, null],
  ]);
});

test("a row that names itself or nobody as its parent is left out", () => {
  const step: EventTrace[4][number] = [0, 0, 0, 0, 5, 690, 0];
  const trace: EventTrace = [4, 1, 700, "failed", [step], [[1, 1, 0, null, null, 10, null, null, 0]]];
  expect(rowsOf(trace)).toHaveLength(1);
});

test("shows the way of a question with each call below who made it", () => {
  const rows = askedRows([
    [null, "GetAd", "", "front·0", 0, 5, 900, 0],
    [0, "ProduceAd", "ModelA", "models·0", 10, 2, 300, 0],
    [0, "ProduceAd", "ModelB", "", 12, null, null, 1],
    [1, "Store", "", "models·1", 20, 1, 100, 0],
  ]);
  expect(
    rows.map(({ service, implementation, depth, runUs }) => [service, implementation, depth, runUs]),
  ).toEqual([
    ["GetAd", "", 0, 900],
    ["ProduceAd", "ModelA", 1, 300],
    ["Store", "", 2, 100],
    ["ProduceAd", "ModelB", 1, null],
  ]);
  // A list that names itself as its maker has no end otherwise.
  expect(askedRows([[0, "GetAd", "", "", 0, null, null, 0]])).toEqual([]);
});
