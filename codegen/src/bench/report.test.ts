import { expect, test } from "vitest";
import { readLeft, readReport, spreadOf } from "./report.js";

const report = (benchmarks: object[]): string => JSON.stringify({ context: {}, benchmarks });

test("should read wall times in nanoseconds, whatever the unit, and leave out aggregates", () => {
  const text = report([
    { run_type: "iteration", real_time: 2.5, cpu_time: 1, time_unit: "us" },
    { run_type: "iteration", real_time: 3, time_unit: "ms" },
    { run_type: "aggregate", real_time: 9, time_unit: "ns", aggregate_name: "mean" },
  ]);
  expect(readReport(text)).toEqual([
    { kind: "time", nanoseconds: 2500 },
    { kind: "time", nanoseconds: 3e6 },
  ]);
});

test("should give the reason of a benchmark that ended with an error, never its time", () => {
  const text = report([
    { run_type: "iteration", error_occurred: true, error_message: "no such ad", real_time: 1 },
  ]);
  expect(readReport(text)).toEqual([{ kind: "error", reason: "no such ad" }]);
});

test.each(["", "{", "[]", '{"benchmarks":[{"real_time":-1}]}', '{"benchmarks":[{"time_unit":"weeks"}]}'])(
  "should refuse what is no report: %j",
  (text) => {
    expect(readReport(text)).toBeUndefined();
  },
);

test("should read what was left behind, and nothing where nothing was written", () => {
  expect(readLeft('{"calls":10,"unanswered":1,"blocks":20}')).toEqual({
    calls: 10,
    unanswered: 1,
    blocks: 20,
  });
  for (const text of ["", "{", '{"calls":10}', '{"calls":10,"unanswered":1,"blocks":-2}']) {
    expect(readLeft(text)).toBeUndefined();
  }
});

test("should take the middle of the runs, not their mean", () => {
  expect(spreadOf([900, 250, 240, 260, 245])).toEqual({ median: 250, min: 240, max: 900 });
  expect(spreadOf([10, 20])).toEqual({ median: 15, min: 10, max: 20 });
});
