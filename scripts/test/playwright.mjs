import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { believed, broken, outcome } from "./tally.mjs";

const specsOf = (suite) => [
  ...(suite.specs ?? []).map((spec) => ({ ...spec, file: suite.file })),
  ...(suite.suites ?? []).flatMap(specsOf),
];

/**
 * The browser tests: a real Chromium, real builds, real binaries. `config` lies in e2e; `files`: these tests alone.
 */
export async function runBrowserTests(root, progress, { config = "playwright.config.ts", files = [] } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-e2e-"));
  try {
    const report = path.join(folder, "report.json");
    const { code, tail } = await run(
      process.execPath,
      [
        path.join(root, "node_modules", "@playwright", "test", "cli.js"),
        ...["test", ...files.map((file) => path.relative("e2e", file))],
        ...[`--config=${config}`, "--reporter=list,json"],
      ],
      {
        cwd: path.join(root, "e2e"),
        env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: "1", FORCE_COLOR: "0" },
        onLine: (line) => progress(line.trim()),
      },
    );
    if (!existsSync(report)) return broken("playwright left no report", tail);
    return believed(readReport(JSON.parse(readFileSync(report, "utf8"))), "playwright", code, tail);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What its JSON report says; a skipped test has failed. */
export function readReport(report) {
  const specs = report.suites.flatMap(specsOf);
  const tests = specs.flatMap((spec) => spec.tests.map((test) => ({ spec, test })));
  const failures = tests.filter(({ test }) => test.status !== "expected");
  const shown = failures.map(({ spec, test }) => {
    const message = test.results.flatMap((result) => result.errors.map((error) => error.message)).join("\n");
    return `${spec.file}:${spec.line} ${spec.title} (${test.status})\n${message.slice(0, 3000)}`;
  });
  const errors = (report.errors ?? []).map((error) => error.message);
  return outcome(
    tests.length - failures.length,
    failures.length + errors.length,
    [...shown, ...errors].join("\n\n"),
  );
}
