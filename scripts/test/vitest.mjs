import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { believed, broken, outcome } from "./tally.mjs";

/**
 * Runs the named vitest projects of the root config, each test once; failures are printed as vitest words
 * them. `related`: only tests that import one of these files, or are one.
 */
export async function runVitest(root, projects, progress, related, env = {}) {
  const verb = related === undefined ? ["run"] : ["related", "--run", "--passWithNoTests", ...related];
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
        env: { NO_COLOR: "1", ...env },
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
      return broken("vitest left no report", tail);
    }
    const read = readVitest(result);
    // Errors that no test caught are in no report, and fail the run all the same.
    if (unhandled === undefined) return believed(read, "vitest", code, tail);
    const { output } = broken(unhandled, tail);
    return outcome(read.passed, read.failed + 1, [read.output, output].filter(Boolean).join("\n\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What vitest's JSON report says; a file that could not be loaded has failed, and so have skipped tests. */
export function readVitest(result) {
  const unloaded = result.testResults
    .filter((file) => file.status === "failed" && file.assertionResults.length === 0)
    .map((file) => `${file.name}\n${file.message}`);
  const failures = result.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === "failed")
      .map(
        (test) => `${file.name}\n  ${test.fullName}\n  ${test.failureMessages.join("\n  ").slice(0, 2000)}`,
      ),
  );
  const skipped = result.numPendingTests + result.numTodoTests;
  const never = skipped > 0 ? [`${skipped} tests are skipped: there must be none`] : [];
  const shown = [...failures, ...unloaded, ...never];
  return outcome(result.numPassedTests, failures.length + unloaded.length + skipped, shown.join("\n\n"));
}
