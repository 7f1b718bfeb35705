import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { buildRuntime } from "../setup/runtime.mjs";

/** @typedef {{row: number, title: string, ok: boolean}} Result */

/** Every row that a test's full title names. */
const named = (title, pattern, ok) =>
  [...title.matchAll(pattern)].map(([, row]) => ({ row: Number(row), title, ok }));

/** Results in vitest's report; tests that the filter left out are `pending` or `skipped`. */
export const readVitest = (report) =>
  report.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed")
    .flatMap(({ fullName, status }) => named(fullName, /\brow (\d+):/g, status === "passed"));

/** Results in ctest's JUnit report; what was not run is not ok. */
export const readCtest = (xml) =>
  [...xml.matchAll(/<testcase name="([^"]*)"[^>]*status="([^"]*)"/g)].flatMap(([, name, status]) =>
    named(name, /\bFault(\d+)/g, status === "run"),
  );

const readOr = (file, read, otherwise) => {
  try {
    return read(readFileSync(file, "utf8"));
  } catch {
    return otherwise;
  }
};

/**
 * Runs the tests that name a row and no others; a tool that leaves no report leaves its rows
 * without a result, which its caller counts as failed.
 * @returns {Promise<Result[]>}
 */
export async function runFaultTests(root, tests, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-faults-"));
  const report = path.join(folder, "vitest.json");
  const junit = path.join(folder, "ctest.xml");
  const files = [...new Set(tests.map(({ file }) => file))];
  // Tables of bad examples are run by the test of the rules.
  const scripts = files.filter((file) => /\.test\.(tsx?|mjs)$/.test(file));
  if (files.some((file) => file.includes("/validate/rules/")))
    scripts.push("codegen/src/model/validate/rules.test.ts");
  try {
    await run(
      process.execPath,
      [
        path.join(root, "node_modules", "vitest", "vitest.mjs"),
        "run",
        ...scripts,
        "--testNamePattern=\\brow \\d+:",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ],
      { cwd: root, env: { NO_COLOR: "1" }, onLine: (line) => progress(line.trim()) },
    );
    await buildRuntime(root, "dev", { progress });
    const ctest = ["--preset", "dev", "--tests-regex", "Fault[0-9]", "--output-junit", junit];
    await run("ctest", ctest, {
      cwd: path.join(root, "runtime-cpp"),
      onLine: (line) => progress(line.trim()),
    });
    return [...readOr(report, (text) => readVitest(JSON.parse(text)), []), ...readOr(junit, readCtest, [])];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
