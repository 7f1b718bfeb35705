// `npm run bench`: measures Penstock beside limits and peers, in one run; `-- --help` says what can be
// chosen. The figures go to stdout, to the build folder, and into docs/performance.md.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { benchPrograms, buildContenders } from "./bench/build.mjs";
import { drawPage, keepRun, keptRun, writeWhole } from "./bench/keep.mjs";
import { describeMachine } from "./bench/machine.mjs";
import { contendersOf, measureAll } from "./bench/measure.mjs";
import { benchOptions, USAGE } from "./bench/options.mjs";
import { loadAverage, waitForQuiet } from "./bench/quiet.mjs";
import { printedGoals, printedTable } from "./bench/table.mjs";
import { WORKLOADS } from "./bench/workloads.mjs";
import { takeChildrenAlong } from "./setup/child.mjs";
import { bad, beginStep, good, say, seconds } from "./setup/report.mjs";
import { explain, setUpPackages } from "./setup/set-up.mjs";

/** All of it takes at most a quarter of an hour; what comes after measuring takes a second. */
const LONGEST = 14 * 60 * 1000;
const QUIET_WAIT = 60 * 1000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function optionsOrEnd() {
  try {
    return benchOptions(process.argv.slice(2));
  } catch (error) {
    say(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function step(title, work) {
  const running = beginStep(title);
  try {
    const result = await work((text) => running.progress(text));
    running.done();
    return result;
  } catch (error) {
    running.failed();
    throw error;
  }
}

async function measure(options) {
  await setUpPackages("bench");
  const workloads = options.only ?? WORKLOADS.map(({ name }) => name);
  const missing = await step("Contenders", (progress) => buildContenders(root, workloads, progress));
  for (const line of missing) say(`  ${line}`);
  const load = { before: loadAverage() };
  const quiet =
    options.rough ||
    (await step("A quiet machine", (progress) => waitForQuiet(performance.now() + QUIET_WAIT, progress)));
  if (!quiet) bad("The machine is not quiet: runs are repeated where there is time, and counted where not");
  const programs = benchPrograms(root, workloads);
  const date = new Date().toISOString();
  const measured = await step("Measuring", (progress) =>
    measureAll(
      programs,
      workloads,
      { runs: options.runs, rough: options.rough, deadline: LONGEST },
      progress,
    ),
  );
  load.after = loadAverage();
  const contenders = contendersOf(programs).map(({ workload, contender, what }) => ({
    workload,
    contender,
    what,
  }));
  return {
    date,
    // Of the page, which only a run of everything draws; the compiler's part is there once it has built.
    ...(options.only === undefined ? { machine: describeMachine(root) } : {}),
    load,
    missing,
    contenders,
    ...measured,
  };
}

const options = optionsOrEnd();
if (options.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
takeChildrenAlong();
try {
  if (options.redraw) {
    drawPage(root, keptRun(root));
    good("docs/performance.md is drawn anew");
    process.exit(0);
  }
  const run = await measure(options);
  process.stdout.write(`${printedTable(run.results)}\n\n${printedGoals(run.results)}\n`);
  if (options.only === undefined) keepRun(root, run);
  if (options.json !== undefined) writeWhole(options.json, `${JSON.stringify(run.results, null, 2)}\n`);
  if (options.docs && run.errors.length === 0) {
    drawPage(root, run);
    good("docs/performance.md is drawn anew");
  }
  if (run.repeated > 0) say(`${run.repeated} runs were disturbed and made again`);
  if (run.disturbed > 0) bad(`${run.disturbed} runs count although others used the machine`);
  for (const error of run.errors) bad(error);
  say(`All of it took ${seconds(0)}.`);
  process.exitCode = run.errors.length === 0 ? 0 : 1;
} catch (error) {
  process.exit(explain(error));
}
