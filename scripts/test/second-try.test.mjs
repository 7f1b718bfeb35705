import { describe, expect, test } from "vitest";
import { withSecondTry } from "./second-try.mjs";
import { readVitest } from "./vitest.mjs";

const failure = (file, title) => ({ file, title, text: `${file} ${title} failed` });

/** Gives the runs in their order, and keeps the files that were asked for. */
function runs(...given) {
  const asked = [];
  const runOnce = (files) => {
    asked.push(files);
    return Promise.resolve(given[asked.length - 1]);
  };
  return { asked, runOnce };
}

describe("a second try", () => {
  test("should not come when all passed, or when more than a few failed", async () => {
    const good = runs({ passed: 9, failures: [] });
    expect(await withSecondTry(good.runOnce)).toEqual({ passed: 9, failed: 0, output: "" });
    const bad = runs({ passed: 5, failures: ["a", "b", "c", "d"].map((title) => failure("x.ts", title)) });
    expect(await withSecondTry(bad.runOnce)).toMatchObject({ passed: 5, failed: 4 });
    expect([...good.asked, ...bad.asked]).toEqual([[], []]);
  });

  test("should run the files of what failed, each once, and name what passes then", async () => {
    const { asked, runOnce } = runs(
      { passed: 7, failures: [failure("x.ts", "a"), failure("x.ts", "b"), failure("y.ts", "a")] },
      { passed: 9, failures: [failure("x.ts", "b")] },
    );
    const result = await withSecondTry(runOnce);
    expect(asked).toEqual([[], ["x.ts", "y.ts"]]);
    expect(result).toMatchObject({ passed: 9, failed: 1 });
    expect(result.output).toContain("passed at the second try only: x.ts a failed");
    expect(result.output).toContain("passed at the second try only: y.ts a failed");
    expect(result.output).toMatch(/^x\.ts b failed$/m);
  });

  test("should count what fails only when it is run alone", async () => {
    const { runOnce } = runs(
      { passed: 8, failures: [failure("x.ts", "a")] },
      { passed: 1, failures: [failure("x.ts", "b")] },
    );
    expect(await withSecondTry(runOnce)).toMatchObject({ passed: 8, failed: 1 });
  });

  test("should not help a run that broke", async () => {
    const { asked, runOnce } = runs({ passed: 8, failures: [failure("x.ts", "a")], broken: "unhandled" });
    expect(await withSecondTry(runOnce)).toMatchObject({ passed: 8, failed: 2 });
    expect(asked).toHaveLength(1);
    const later = runs(
      { passed: 8, failures: [failure("x.ts", "a")] },
      { passed: 0, failures: [], broken: "gone" },
    );
    expect(await withSecondTry(later.runOnce)).toMatchObject({ passed: 8, failed: 2 });
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
  expect(readVitest(report)).toMatchObject({
    passed: 1,
    failures: [{ file: "a.ts", title: "b" }],
    broken: "gone.ts\ncannot be loaded\n\n1 tests are skipped: there must be none",
  });
});
