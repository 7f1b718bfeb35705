import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildJobs } from "../setup/jobs.mjs";
import { buildRuntime, configuredElsewhere } from "../setup/runtime.mjs";
import { believed, broken, outcome } from "./tally.mjs";

/** Builds the runtime with its tests in `preset` and runs them all. */
export async function runRuntimeTests(root, preset, progress) {
  // Test sources are no part of the library's stamp, so the build is asked each time; ninja is quick.
  await buildRuntime(root, preset, { progress });
  return runCtest(path.join(root, "runtime-cpp"), ["--preset", preset], preset, progress);
}

/** The test programs of a room; the world's second one is of no sanitizer. */
const programsOf = (room, preset) => [
  `penstock_${room}_test`,
  ...(room === "world" && preset === "plain" ? ["penstock_ordinary_world_test"] : []),
];

/** Builds and runs the tests of these rooms alone. */
export async function runRoomTests(root, preset, rooms, progress) {
  const targets = rooms.flatMap((room) => programsOf(room, preset));
  await buildRuntime(root, preset, { progress }, { targets });
  const labelled = ["--preset", preset, "-L", `^(${rooms.join("|")})$`];
  return runCtest(path.join(root, "runtime-cpp"), labelled, preset, progress);
}

/** Builds the parsers' fuzz targets (clang, libFuzzer); where they lie, or why they do not. */
export async function buildFuzzTargets(root, progress) {
  const source = path.join(root, "runtime-cpp", "fuzz");
  const build = path.join(root, "build", "fuzz");
  const fresh = configuredElsewhere(source, build) ? ["--fresh"] : [];
  for (const args of [
    ["-S", source, "-B", build, ...fresh, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-16"],
    ["--build", build, "--parallel", String(buildJobs())],
  ]) {
    const onLine = (line) => progress(line.trim());
    const { code, tail } = await run("cmake", args, { cwd: root, onLine });
    if (code !== 0) return { folder: build, failed: broken(`cmake ${args.join(" ")} failed`, tail) };
  }
  return { folder: build };
}

/** Each of them over its kept corpus and the same invented inputs every time; minutes of others are `npm run soak`. */
export async function runFuzzTargets(root, progress) {
  const { folder, failed } = await buildFuzzTargets(root, progress);
  return failed ?? runCtest(root, ["--test-dir", folder], "fuzz", progress);
}

/** Runs tests, each once; two at a time on two processors. */
async function runCtest(cwd, where, name, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-ctest-"));
  try {
    const report = path.join(folder, "report.xml");
    const parallel = ["--parallel", String(os.availableParallelism())];
    const always = ["--timeout", "900", "--output-on-failure", "--no-tests=error"];
    const { code, tail } = await run("ctest", [...where, ...parallel, ...always, "--output-junit", report], {
      cwd,
      onLine: (line) => progress(line.trim()),
    });
    if (!existsSync(report)) return broken(`ctest of ${name} left no report`, tail);
    const counted = countCases(readJunit(readFileSync(report, "utf8")), name);
    return believed(counted, `ctest of ${name}`, code, tail);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ENTITIES = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const plainText = (xml) => xml.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name) => ENTITIES[name]);

/** The tests of a JUnit report as ctest writes it, with their status and what they printed. */
export function readJunit(xml) {
  return [...xml.matchAll(/<testcase name="([^"]*)"[^>]*status="([^"]*)"[^>]*>([\s\S]*?)<\/testcase>/g)].map(
    ([, test, status, body]) => ({
      test: plainText(test),
      status,
      output: plainText(/<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? ""),
    }),
  );
}

/** A test that was not run has failed, too. */
const isFailed = ({ status }) => status !== "run";

/** Counts, with the last lines of each that failed. */
export function countCases(cases, name) {
  const failed = cases.filter(isFailed);
  const shown = failed.map(
    ({ test, status, output }) => `${name}: ${test} (${status})\n${output.split("\n").slice(-40).join("\n")}`,
  );
  return outcome(cases.length - failed.length, failed.length, shown.join("\n\n"));
}
