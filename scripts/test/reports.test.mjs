import { describe, expect, test } from "vitest";
import { ninjaBar } from "../setup/runtime.mjs";
import { countCases, readJunit } from "./ctest.mjs";
import { judge, readTotal } from "./instructions.mjs";
import { readReport } from "./playwright.mjs";
import { believed, outcome } from "./tally.mjs";
import { readVitest } from "./vitest.mjs";

describe("a ctest report", () => {
  const testcase = (name, status, output) =>
    `<testcase name="${name}" classname="${name}" time="1" status="${status}"><system-out>${output}</system-out></testcase>`;
  const verdict = "x.cpp:3: Failure\n1 FAILED TEST";
  const cases = readJunit(
    `<testsuite>${testcase("a", "run", "fine")}${testcase("b", "fail", verdict)}${testcase("c", "notrun", "")}</testsuite>`,
  );

  test("should count failed and not run tests as failed", () => {
    const result = countCases(cases, "dev");
    expect(result).toMatchObject({ passed: 1, failed: 2 });
    expect(result.output).toContain(`dev: b (fail)\n${verdict}`);
  });

  test("should be asked for by the names that ctest knows", () => {
    // So GoogleTest names a parameter that it cannot print.
    const [one] = readJunit(testcase("a/1-byte object &lt;02&gt; &amp;lt;", "fail", "1 &lt; 2"));
    expect(one).toEqual({ test: "a/1-byte object <02> &lt;", status: "fail", output: "1 < 2" });
  });
});

test("a vitest report is counted; skipped tests and files that do not load count as failed", () => {
  const report = {
    numPassedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { name: "gone.ts", status: "failed", assertionResults: [], message: "cannot be loaded" },
      {
        name: "a.ts",
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "a", failureMessages: [] },
          { status: "failed", fullName: "b", failureMessages: ["expected 1"] },
        ],
      },
    ],
  };
  const result = readVitest(report);
  expect(result).toMatchObject({ passed: 1, failed: 3 });
  expect(result.output).toMatch(/^a\.ts\n {2}b\n {2}expected 1$/m);
  expect(result.output).toContain("gone.ts\ncannot be loaded\n\n1 tests are skipped: there must be none");
});

test("a report without failures of a tool that failed is not believed", () => {
  expect(believed(outcome(3, 0), "ctest", 0, [])).toEqual(outcome(3, 0));
  expect(believed(outcome(3, 0), "ctest", 8, ["no disk"])).toMatchObject({ passed: 0, failed: 1 });
  expect(believed(outcome(3, 1, "a"), "ctest", 8, [])).toEqual(outcome(3, 1, "a"));
});

test("a browser report is counted; skipped and flaky tests count as failed", () => {
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
  expect(result).toMatchObject({ passed: 1, failed: 2 });
  expect(result.output).toContain("a.ts:1 y (flaky)");
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
