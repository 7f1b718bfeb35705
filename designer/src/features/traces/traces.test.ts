import { traceRows, type EventTrace, type LiveSample, type LiveSchema } from "@penstock/codegen/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { flowOfSelection } from "./flowOfSelection.js";
import { barsOf } from "../../kernel/live/traceBars.js";
import { dropTraces, takeTraces, traceStore } from "../../kernel/live/traceStore.js";

const schema = {
  pid: 7,
  startedAtMs: 1_000_000,
  services: [
    { id: 0, name: "Get", implementations: [] },
    { id: 1, name: "Log", implementations: [] },
  ],
  flows: [
    {
      id: 3,
      name: "F",
      stages: [
        { id: "get", service: 0 },
        { id: "log", service: 1 },
      ],
    },
  ],
  pools: [
    { id: 0, name: "front" },
    { id: 1, name: "F.log" },
  ],
} as unknown as LiveSchema;
const trace = (startedMs: number): EventTrace => [
  3,
  startedMs,
  100,
  "failed",
  [
    [1, 1, 2, 60, 30, 10, 1],
    [0, 0, 0, 0, 20, 40, 0],
  ],
];
/** The process began a million ms after the epoch and never slept, unless the sample comes later than that. */
const takeAt = (t: number, nowMs: number, ...traces: EventTrace[]) =>
  takeTraces(schema, { t, traces } as unknown as LiveSample, nowMs);
const take = (...traces: EventTrace[]) => takeAt(100, 1_000_100, ...traces);
const kept = () => traceStore.getState().byFlow.get("F") ?? [];

beforeEach(dropTraces);

describe("a followed event", () => {
  it("is shown by names, in the order in which it came to the stages", () => {
    expect(
      traceRows(schema, trace(5)).map(({ service, thread, failed }) => [service, thread, failed]),
    ).toEqual([
      ["Get", "front·0", false],
      ["Log", "F.log·2", true],
    ]);
  });

  it("has a bar for its wait and one for its run, where they were", () => {
    const [, log] = traceRows(schema, trace(5));
    expect(barsOf(log!, 100)).toEqual({ wait: [0.6, 0.3], run: [0.9, 0.1] });
    // Too short to be seen otherwise, and never beyond the edge.
    expect(barsOf({ ...log!, atUs: 100, waitUs: 0, runUs: 0 }, 100).run).toEqual([0.996, 0.004]);
  });

  it("is kept once, the newest first, and only so many", () => {
    take(trace(5));
    take(trace(5));
    take(trace(6));
    expect(kept().map(({ atMs }) => atMs)).toEqual([1_000_006, 1_000_005]);
    for (let at = 10; at < 60; at++) take(trace(at));
    expect(kept()).toHaveLength(24);
  });

  it("has the time of day at which it was, though the machine slept since the process began", () => {
    const hour = 3_600_000;
    takeAt(100, 1_000_100, trace(60));
    // Told again after the sleep, which was after it.
    takeAt(200, 1_000_200 + hour, trace(60), trace(150));
    expect(kept().map(({ atMs }) => atMs)).toEqual([1_000_150 + hour, 1_000_060]);
  });

  it("has the calls that its stages made, also one that is over later", () => {
    const [flow, startedMs, totalUs, outcome, steps] = trace(5);
    const call = (runUs: number | null): EventTrace => [
      flow,
      startedMs,
      totalUs,
      outcome,
      steps,
      [[1, 1, 0, 1, 0, 10, 20, runUs, 0]],
    ];
    take(call(null));
    const names = () => kept()[0]?.rows.map(({ service, depth, runUs }) => [service, depth, runUs]);
    expect(names()).toEqual([
      ["Get", 0, 40],
      ["Log", 1, null],
      ["Log", 0, 10],
    ]);
    const run = () => barsOf(kept()[0]!.rows[1]!, 100).run;
    expect(run()[1]).toBeCloseTo(0.7, 6);
    take(call(150));
    expect(kept()).toHaveLength(1);
    expect(names()?.[1]).toEqual(["Log", 1, 150]);
    expect(run()[1]).toBeCloseTo(0.7, 6);
  });

  it("has no bar for what had not begun", () => {
    const row = { ...traceRows(schema, trace(5))[1]!, thread: "", atUs: 10, waitUs: null, runUs: null };
    expect(barsOf(row, 100)).toMatchObject({ wait: [0.1, 0.9] });
    expect(barsOf(row, 100).run[1]).toBe(0);
  });

  it("is of the flow that is selected, by itself, a stage or a line", () => {
    const known = new Map([
      ["E", 1],
      ["F", 1],
    ]);
    expect(flowOfSelection(["stage:F/log"], known)).toBe("F");
    expect(flowOfSelection(["link:F/log"], known)).toBe("F");
    expect(flowOfSelection(["flow:F"], known)).toBe("F");
    expect(flowOfSelection(["service:Get"], known)).toBe("E");
    expect(flowOfSelection([], new Map())).toBeUndefined();
  });
});
