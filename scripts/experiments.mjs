// `npm run experiments`: concor's two experiments on the sample applications, and their memory over time; `-- --help` says
// what can be chosen. The rows go to a file, the tables into docs/experiments.md.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildApplication } from "./experiments/build.mjs";
import { joinRows, memoryRows, overheadRows } from "./experiments/measure.mjs";
import { EXPERIMENT_OPTIONS } from "./experiments/options.mjs";
import { experimentFiles } from "./experiments/page.mjs";
import { printedSummary } from "./experiments/tables.mjs";
import { runCommand } from "./measure/command.mjs";
import { setUp } from "./setup/set-up.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

await runCommand({
  ...EXPERIMENT_OPTIONS,
  name: "experiments",
  page: "experiments",
  async prepare({ applications, folder }, step) {
    await setUp(root, "setup");
    const projects = new Map();
    for (const { name } of applications) {
      const project = await step(`Building ${name}`, (progress) =>
        buildApplication(root, folder, name, progress),
      );
      projects.set(name, project);
    }
    return projects;
  },
  async measure(asked, step, projects) {
    const overhead = await step("Experiment 1: what the framework costs", (progress) =>
      overheadRows(projects, asked, progress),
    );
    const joins = await step("Experiment 2: a join put in and taken out", (progress) =>
      joinRows(projects, asked, progress),
    );
    const memory = await step("Experiment 3: memory over time", (progress) =>
      memoryRows(projects, asked, progress),
    );
    return { windows: asked.seconds, rows: [...overhead, ...joins, ...memory] };
  },
  printed: ({ rows }) => printedSummary(rows),
  figures: ({ rows }) => rows,
  files: (kept) => experimentFiles(root, kept),
  conclude: ({ rows }) => ({
    sound: true,
    code: rows.some(({ lost, repeated }) => lost + repeated > 0) ? 1 : 0,
  }),
});
