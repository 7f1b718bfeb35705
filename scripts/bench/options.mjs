import { FEWEST_RUNS } from "./measure.mjs";
import { WORKLOADS } from "./workloads.mjs";

const NAMES = WORKLOADS.map(({ name }) => name);

const USAGE = `npm run bench -- [--json FILE] [--only WORKLOAD] [--runs N] [--rough] [--docs | --redraw]

  Measures Penstock beside limits and peers. A run of everything draws docs/performance.md anew.

  --json FILE      also write the figures there, as a list; docs/performance.md then stays as it is
  --only WORKLOAD  measure this one alone, or these: ping-pong/spin, or mpsc for mpsc/1, mpsc/2 and
                   mpsc/4, or a list with commas; docs/performance.md stays as it is
  --runs N         runs of each contender, 5 to 99 (default: 7; 5 when time is short: all of it takes
                   at most 15 minutes)
  --rough          do not wait for a quiet machine: runs count whatever else it does meanwhile
  --docs           draw docs/performance.md although --json is given
  --redraw         measure nothing: draw docs/performance.md from the last run of everything
  --help           this text`;

/** Of the workloads, those that `text` names: their own names or families, with commas. */
export function chosenWorkloads(text) {
  const parts = text.split(",");
  const named = ({ name, family }) => parts.filter((part) => part === name || part === family);
  const unknown = parts.find((part) => !WORKLOADS.some((workload) => named(workload).includes(part)));
  if (unknown !== undefined)
    throw new Error(`--only does not know ${JSON.stringify(unknown)}; workloads: ${NAMES.join(", ")}`);
  return WORKLOADS.filter((workload) => named(workload).length > 0).map(({ name }) => name);
}

/** What `npm run bench` takes of its own. */
export const BENCH_OPTIONS = {
  usage: USAGE,
  parts: "--only: the page shows all workloads",
  options: {
    only: { type: "string" },
    runs: { type: "string", default: "7" },
    rough: { type: "boolean", default: false },
  },
  read({ only, runs, rough }) {
    if (!/^\d{1,2}$/.test(runs) || Number(runs) < FEWEST_RUNS)
      throw new Error(`--runs cannot be ${JSON.stringify(runs)}: it is a number from 5 to 99`);
    const workloads = only === undefined ? NAMES : chosenWorkloads(only);
    return { workloads, runs: Number(runs), rough, whole: only === undefined };
  },
};
