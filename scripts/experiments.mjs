// `npm run experiments`: concor's two experiments on the sample applications; `-- --help` says what can
// be chosen. The rows go to a file, the tables into docs/experiments.md.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { writeWhole } from "./bench/keep.mjs";
import { loadAverage } from "./bench/quiet.mjs";
import { buildApplication } from "./experiments/build.mjs";
import { joinRows, overheadRows } from "./experiments/measure.mjs";
import { experimentOptions, USAGE } from "./experiments/options.mjs";
import { drawExperiments, keepExperiments, keptExperiments } from "./experiments/keep.mjs";
import { printedSummary } from "./experiments/tables.mjs";
import { takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, good, say, seconds } from "./setup/report.mjs";
import { explain, setUp } from "./setup/set-up.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function optionsOrEnd() {
  try {
    return experimentOptions(root, process.argv.slice(2));
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

const options = optionsOrEnd();
if (options.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
takeChildrenAlong();
try {
  if (options.redraw) {
    drawExperiments(root, keptExperiments(root));
    good("docs/experiments.md is drawn anew");
    process.exit(0);
  }
  await setUp(root, "setup");
  const projects = new Map();
  for (const application of options.applications) {
    const project = await step(`Building ${application.name}`, (progress) =>
      buildApplication(root, options.folder, application, progress),
    );
    projects.set(application.name, project);
  }
  const date = new Date().toISOString();
  const load = { before: loadAverage() };
  const begun = performance.now();
  const rows = [
    ...(await step("Experiment 1: what the framework costs", (progress) =>
      overheadRows(projects, options, progress),
    )),
    ...(await step("Experiment 2: a join put in and taken out", (progress) =>
      joinRows(projects, options, progress),
    )),
  ];
  load.after = loadAverage();
  const kept = {
    date,
    load,
    windows: options.seconds,
    seconds: Math.round((performance.now() - begun) / 1000),
    rows,
  };
  process.stdout.write(`${printedSummary(rows)}\n`);
  if (options.whole) keepExperiments(root, kept);
  if (options.json !== undefined) writeWhole(options.json, `${JSON.stringify(rows, null, 2)}\n`);
  if (options.docs) {
    drawExperiments(root, kept);
    good("docs/experiments.md is drawn anew");
  }
  say(`All of it took ${seconds(0)}.`);
  process.exitCode = rows.some(({ lost, repeated }) => lost + repeated > 0) ? 1 : 0;
} catch (error) {
  process.exit(explain(error));
}
