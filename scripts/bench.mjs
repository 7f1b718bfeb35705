// `npm run bench`: measures Penstock beside limits and peers, in one run; `-- --help` says what can be
// chosen. The figures go to stdout, to the build folder, and into docs/performance.md.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { benchFolder, benchPrograms, buildContenders, peerVersions } from "./bench/build.mjs";
import { contendersOf, measureAll } from "./bench/measure.mjs";
import { BENCH_OPTIONS } from "./bench/options.mjs";
import { performanceFiles } from "./bench/page.mjs";
import { printedGoals, printedTable } from "./bench/goals.mjs";
import { runCommand } from "./measure/command.mjs";
import { describeCompiler, describeMachine } from "./measure/machine.mjs";
import { waitForQuiet } from "./measure/quiet.mjs";
import { bad, say } from "./setup/report.mjs";
import { setUpPackages } from "./setup/set-up.mjs";

/** All of it takes at most a quarter of an hour; what comes after measuring takes a second. */
const LONGEST = 14 * 60 * 1000;
const QUIET_WAIT = 60 * 1000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

await runCommand({
  ...BENCH_OPTIONS,
  name: "bench",
  page: "performance",
  async prepare({ workloads }, step) {
    await setUpPackages("bench");
    const missing = await step("Contenders", (progress) => buildContenders(root, workloads, progress));
    for (const line of missing) say(`  ${line}`);
    return missing;
  },
  async measure({ workloads, runs, rough, whole }, step, missing) {
    const quiet =
      rough ||
      (await step("A quiet machine", (progress) => waitForQuiet(performance.now() + QUIET_WAIT, progress)));
    if (!quiet) bad("The machine is not quiet: runs are repeated where there is time, and counted where not");
    const programs = benchPrograms(root, workloads);
    const measured = await step("Measuring", (progress) =>
      measureAll(programs, workloads, { runs, rough, deadline: LONGEST }, progress),
    );
    return {
      // Of the page, which only a run of everything draws; the compiler's part is there once it has built.
      ...(whole && {
        machine: { ...describeMachine(), ...describeCompiler(benchFolder(root)), peers: peerVersions() },
      }),
      missing,
      contenders: contendersOf(programs).map(({ workload, contender, what }) => ({
        workload,
        contender,
        what,
      })),
      ...measured,
    };
  },
  printed: ({ results }) => `${printedTable(results)}\n\n${printedGoals(results)}`,
  figures: ({ results }) => results,
  files: performanceFiles,
  conclude({ repeated, disturbed, errors }) {
    if (repeated > 0) say(`${repeated} runs were disturbed and made again`);
    if (disturbed > 0) bad(`${disturbed} runs count although others used the machine`);
    for (const error of errors) bad(error);
    return { sound: errors.length === 0, code: errors.length === 0 ? 0 : 1 };
  },
});
