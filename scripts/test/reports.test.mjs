import { expect, test } from "vitest";
import { ninjaBar } from "../setup/runtime.mjs";
import { readJunit } from "./ctest.mjs";
import { judge, readTotal } from "./instructions.mjs";
import { readReport } from "./playwright.mjs";

test("a ctest report is counted; failed and not run tests count as failed", () => {
  const xml = `<testsuite>
    <testcase name="a" classname="a" time="1" status="run"><system-out>fine</system-out></testcase>
    <testcase name="b" classname="b" time="1" status="fail"><failure/><system-out>broken here</system-out></testcase>
    <testcase name="c" classname="c" time="0" status="notrun"><skipped/><system-out></system-out></testcase>
  </testsuite>`;
  const result = readJunit(xml, "dev");
  expect(result).toMatchObject({ passed: 1, failed: 2 });
  expect(result.output).toContain("dev: b (fail)\nbroken here");
});

test("a browser report is counted; skipped tests count as failed, flaky ones are named", () => {
  const spec = (title, status) => ({ title, line: 1, tests: [{ status, results: [{ errors: [] }] }] });
  const report = {
    suites: [
      {
        file: "a.ts",
        specs: [spec("x", "expected")],
        suites: [{ file: "a.ts", specs: [spec("y", "flaky"), spec("z", "skipped")] }],
      },
    ],
    errors: [],
  };
  const result = readReport(report);
  expect(result).toMatchObject({ passed: 2, failed: 1 });
  expect(result.output).toContain("a.ts:1 y (passed at the second try only)");
  expect(result.output).toContain("a.ts:1 z (skipped)");
  expect(readReport({ suites: [], errors: [{ message: "no browser" }] })).toMatchObject({
    passed: 0,
    failed: 1,
  });
});

test("ninja's count becomes a bar of twenty cells", () => {
  expect(ninjaBar("[5/10] Building CXX object")).toBe("[##########..........] 5/10");
  expect(ninjaBar("ninja: no work to do.")).toBeUndefined();
});

test("a hot path above its ceiling fails and is named; one that was not counted fails, too", () => {
  expect(readTotal("events: Ir\nsummary: 12345\n\ntotals: 12345\n")).toBe(12345);
  expect(() => readTotal("nothing")).toThrow("no total");
  expect(judge({ call: 99.5, lane: 30 }, { call: 100, lane: 34 })).toMatchObject({ passed: 2, failed: 0 });
  const result = judge({ call: 100.5 }, { call: 100, lane: 34 });
  expect(result).toMatchObject({ passed: 0, failed: 2 });
  expect(result.output).toContain("call: 100.5 instructions, the ceiling is 100");
});
