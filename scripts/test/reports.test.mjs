import { describe, expect, test } from "vitest";
import { ninjaBar } from "../setup/runtime.mjs";
import { countCases, isPlainFailure, readJunit } from "./ctest.mjs";
import { judge, readTotal } from "./instructions.mjs";
import { readReport } from "./playwright.mjs";
import { believed, outcome } from "./tally.mjs";

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

  test("should forgive and name what passed when it was run again, and nothing else", () => {
    const again = readJunit(testcase("b", "run", "") + testcase("c", "fail", ""));
    const result = countCases(cases, "dev", again);
    expect(result).toMatchObject({ passed: 2, failed: 1 });
    expect(result.output).toContain("failed once, then passed 20 times alone: dev: b (fail)");
    expect(result.output).toContain("\n\ndev: c (notrun)");
  });

  test("should have a plain failure only where nothing but an assertion failed", () => {
    const plain = (status, output) => isPlainFailure({ test: "t", status, output });
    expect(plain("fail", verdict)).toBe(true);
    expect(plain("fail", "[ RUN ] t")).toBe(false); // crashed or out of time
    expect(plain("notrun", verdict)).toBe(false);
    expect(plain("fail", `WARNING: ThreadSanitizer: data race\n${verdict}`)).toBe(false);
    expect(plain("fail", `==3==ERROR: AddressSanitizer: heap-use-after-free\n${verdict}`)).toBe(false);
    expect(plain("fail", `a.cpp:1:2: runtime error: signed integer overflow\n${verdict}`)).toBe(false);
  });
});

test("a report without failures of a tool that failed is not believed", () => {
  expect(believed(outcome(3, 0), "ctest", 0, [])).toEqual(outcome(3, 0));
  expect(believed(outcome(3, 0), "ctest", 8, ["no disk"])).toMatchObject({ passed: 0, failed: 1 });
  expect(believed(outcome(3, 1, "a"), "ctest", 8, [])).toEqual(outcome(3, 1, "a"));
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
