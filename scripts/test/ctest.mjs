import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildRuntime, configuredElsewhere } from "../setup/runtime.mjs";
import { broken, outcome } from "./tally.mjs";

/** Builds the runtime with its tests in `preset` and runs them all. */
export async function runRuntimeTests(root, preset, progress) {
  // Test sources are no part of the library's stamp, so the build is asked each time; ninja is quick.
  await buildRuntime(root, preset, { progress });
  return runCtest(path.join(root, "runtime-cpp"), ["--preset", preset], preset, progress);
}

/** Builds them, beside what matters more. */
export const prepareRuntimeTests = (root, preset, ahead) =>
  buildRuntime(root, preset, { progress: () => {} }, ahead);

/** The parsers' fuzz targets (clang, libFuzzer) over their kept corpus, a few seconds each. */
export async function runFuzzTargets(root, progress) {
  const source = path.join(root, "runtime-cpp", "fuzz");
  const build = path.join(root, "build", "fuzz");
  for (const args of [
    [
      "-S",
      source,
      "-B",
      build,
      ...(configuredElsewhere(source, build) ? ["--fresh"] : []),
      "-G",
      "Ninja",
      "-DCMAKE_CXX_COMPILER=clang++-16",
    ],
    ["--build", build],
  ]) {
    const { code, tail } = await run("cmake", args, { cwd: root, onLine: (line) => progress(line.trim()) });
    if (code !== 0) return broken(`cmake ${args.join(" ")} failed`, tail);
  }
  return runCtest(root, ["--test-dir", build], "fuzz", progress);
}

async function runCtest(cwd, where, name, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-ctest-"));
  try {
    const report = path.join(folder, "report.xml");
    const parallel = ["--parallel", String(os.availableParallelism()), "--timeout", "300"];
    const { tail } = await run(
      "ctest",
      [...where, ...parallel, "--output-junit", report, "--output-on-failure", "--no-tests=error"],
      { cwd, onLine: (line) => progress(line.trim()) },
    );
    if (!existsSync(report)) return broken(`ctest of ${name} left no report`, tail);
    return readJunit(readFileSync(report, "utf8"), name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts of a JUnit report as ctest writes it; a test that was not run counts as failed. */
export function readJunit(xml, name) {
  const cases = [
    ...xml.matchAll(/<testcase name="([^"]*)"[^>]*status="([^"]*)"[^>]*>([\s\S]*?)<\/testcase>/g),
  ];
  const failures = cases.filter(([, , status]) => status !== "run");
  const shown = failures.map(([, test, status, body]) => {
    const output = /<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? "";
    return `${name}: ${test} (${status})\n${output.split("\n").slice(-40).join("\n")}`;
  });
  return outcome(cases.length - failures.length, failures.length, shown.join("\n\n"));
}
