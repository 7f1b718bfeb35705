import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { withSecondTry } from "./second-try.mjs";
import { broken } from "./tally.mjs";

/**
 * Runs the named vitest projects of the root config; failures are printed as vitest words them. Files
 * of which a few tests failed are run again, alone. `related`: only tests that import one of these files, or are one.
 */
export function runVitest(root, projects, progress, related) {
  const first = related === undefined ? ["run"] : ["related", "--run", "--passWithNoTests", ...related];
  return withSecondTry((files) =>
    runOnce(root, projects, files.length === 0 ? first : ["run", ...files], progress),
  );
}

/** One run: vitest's verb with what it is told. */
async function runOnce(root, projects, verb, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-vitest-"));
  try {
    const report = path.join(folder, "report.json");
    let unhandled;
    const { code, tail } = await run(
      process.execPath,
      [
        path.join(root, "node_modules", "vitest", "vitest.mjs"),
        ...verb,
        ...projects.flatMap((project) => ["--project", project]),
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ],
      {
        cwd: root,
        env: { NO_COLOR: "1" },
        onLine: (line) => {
          if (/^Vitest caught \d+ unhandled/.test(line)) unhandled = line;
          progress(line.trim());
        },
      },
    );
    let result;
    try {
      result = JSON.parse(readFileSync(report, "utf8"));
    } catch {
      return { passed: 0, failures: [], broken: broken("vitest left no report", tail).output };
    }
    const read = readVitest(result);
    // Errors that no test caught are in no report, and fail the run all the same.
    const silent = code !== 0 && read.failures.length === 0 && read.broken === undefined;
    return unhandled !== undefined || silent
      ? { ...read, broken: broken(unhandled ?? `vitest ended with code ${code}`, tail).output }
      : read;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What vitest's JSON report says; a file that could not be loaded, and skipped tests, break the run. */
export function readVitest(result) {
  const unloaded = result.testResults
    .filter((file) => file.status === "failed" && file.assertionResults.length === 0)
    .map((file) => `${file.name}\n${file.message}`);
  const failures = result.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({
        file: file.name,
        title: test.fullName,
        text: `${file.name}\n  ${test.fullName}\n  ${test.failureMessages.join("\n  ").slice(0, 2000)}`,
      })),
  );
  const skipped = result.numPendingTests + result.numTodoTests;
  const wrong = [...unloaded, ...(skipped > 0 ? [`${skipped} tests are skipped: there must be none`] : [])];
  return {
    passed: result.numPassedTests,
    failures,
    ...(wrong.length > 0 ? { broken: wrong.join("\n\n") } : {}),
  };
}
