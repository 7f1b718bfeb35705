import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { Obstacle } from "../setup/report.mjs";

/** Runs a tool of codegen/tools/times and gives the JSON that it prints. */
async function tool(root, name, ...args) {
  const file = path.join("codegen", "tools", "times", `${name}.ts`);
  const { code, tail } = await run(process.execPath, ["--import", "tsx", file, ...args], { cwd: root });
  if (code !== 0)
    throw new Obstacle(`${file} failed:\n${tail.slice(-20).join("\n")}`, `npx tsx ${file} ${args.join(" ")}`);
  return JSON.parse(tail.at(-1));
}

const seconds = (milliseconds) => milliseconds.map((value) => value / 1000);

/** What is built, how often, and what the first build and the one after an edit may take. */
const BUILDS = [
  { example: "hello", what: "`hello`", runs: "5", first: 8, edited: 4 },
  { example: "ads", what: "`ads`", runs: "3" },
  { example: "many", what: "100 services", runs: "2", first: 60 },
];
/** What is cold is measured in a process of its own, so often. */
const COLD = 5;

const GENERATING =
  "Each file is written aside and renamed, and the folders are made: the steps stand below it, and as many files made bare " +
  "beside it.";
const BUILDING =
  "It is the compiler's time (`cmake --build` says so with `-DCMAKE_CXX_FLAGS=-ftime-report`): each source reads the runtime's " +
  "headers and the C++ library's.";

/** Seconds of `turns` runs of the command line, from its start to its end. */
async function commandLine(root, turns, ...args) {
  const bin = path.join(root, "codegen", "bin", "penstock.mjs");
  const values = [];
  for (let turn = 0; turn < turns; ++turn) {
    const startedAt = performance.now();
    const { code, tail } = await run(process.execPath, [bin, ...args], { cwd: root });
    if (code !== 0)
      throw new Obstacle(`penstock ${args.join(" ")} failed:\n${tail.join("\n")}`, "npm run setup");
    values.push((performance.now() - startedAt) / 1000);
  }
  return values;
}

/** All rows of the page, `{what, seconds, goal, missed}` (`missed`: why, should it be), measured one after the other. */
export async function measureTimes(root, progress) {
  const rows = [];
  const add = (what, values, goal, missed) => rows.push({ what, seconds: values, goal, missed });

  progress("starting the command line");
  add("`penstock --help`", await commandLine(root, 15, "--help"), 0.12);
  const ads = path.join("examples", "ads");
  add("`penstock validate` of `ads`", await commandLine(root, 15, "validate", ads), 0.25);

  progress("checking");
  const checked = [];
  for (let turn = 0; turn < COLD; ++turn) checked.push(await tool(root, "validate"));
  const later = (key) => seconds(checked.flatMap((one) => one[key].slice(1)));
  const first = seconds(checked.map(({ validate }) => validate[0]));
  add("check 2,000 services with 4,000 calls, first in a process", first);
  add("check them again", later("validate"), 0.1);
  add("check them with 2,000 faults and one cycle through all", later("broken"));
  add("read them from JSON", later("parse"));
  add("print them", later("print"));

  // Removed at the end: a file costs more while others were removed a moment ago.
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-times-"));
  try {
    for (const [services, bundles] of [
      ["100", "10"],
      ["200", "20"],
    ]) {
      progress(`generating ${services} services`);
      const made = [];
      for (let turn = 0; turn < COLD; ++turn)
        made.push(await tool(root, "generate", services, bundles, "3", folder));
      const which = `${services} services in ${bundles} bundles`;
      const cold = seconds(made.map((one) => one.first));
      add(`generate ${which}, first in a process`, cold, 0.3, GENERATING);
      for (const stage of Object.keys(made[0].stages))
        add(`- of it: ${stage}`, seconds(made.map(({ stages }) => stages[stage])));
      add(
        `generate ${which} into another folder`,
        seconds(made.flatMap((one) => one.later)),
        0.3,
        GENERATING,
      );
      add("as many bare files", seconds(made.flatMap(({ bare }) => bare)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  for (const { example, what, runs, ...goals } of BUILDS) {
    progress(`building ${example}`);
    const built = await tool(root, "build", example, runs);
    add(`${what}, from Run to running, first build`, built.first, goals.first, BUILDING);
    add(`${what}, from Run to running, one handler edited`, built.edited, goals.edited, BUILDING);
    if (built.called.length > 0) add(`${what}, from Run to running, one call drawn`, built.called);
  }
  return rows;
}
