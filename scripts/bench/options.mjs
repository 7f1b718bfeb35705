import { parseArgs } from "node:util";
import { FEWEST_RUNS } from "./measure.mjs";
import { WORKLOADS } from "./workloads.mjs";
import { writableFile } from "./writable-file.mjs";

export const USAGE = `npm run bench -- [--json FILE] [--only WORKLOAD] [--runs N] [--rough] [--docs | --redraw]

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
  const chosen = new Set();
  for (const part of text.split(",")) {
    const found = WORKLOADS.filter(({ name, family }) => name === part || family === part);
    if (found.length === 0) {
      throw new Error(
        `--only does not know ${JSON.stringify(part)}; workloads: ${WORKLOADS.map(({ name }) => name).join(", ")}`,
      );
    }
    for (const { name } of found) chosen.add(name);
  }
  return WORKLOADS.map(({ name }) => name).filter((name) => chosen.has(name));
}

/** A file that can be written once everything is measured: better said now than in ten minutes. */
/** @throws {Error} with words for people when an argument is wrong */
export function benchOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "string" },
      only: { type: "string" },
      runs: { type: "string", default: "7" },
      rough: { type: "boolean", default: false },
      docs: { type: "boolean", default: false },
      redraw: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs);
  if (!/^\d{1,2}$/.test(values.runs) || runs < FEWEST_RUNS) {
    throw new Error(`--runs cannot be ${JSON.stringify(values.runs)}: it is a number from 5 to 99`);
  }
  if (values.docs && values.only !== undefined) {
    throw new Error("--docs needs a run of everything, without --only: the page shows all workloads");
  }
  if (
    values.redraw &&
    (values.only ?? values.json ?? (values.docs || values.rough || undefined)) !== undefined
  ) {
    throw new Error("--redraw measures nothing: it goes with no other option");
  }
  return {
    help: values.help,
    redraw: values.redraw,
    runs,
    rough: values.rough,
    json: values.json === undefined ? undefined : writableFile(values.json),
    only: values.only === undefined ? undefined : chosenWorkloads(values.only),
    docs: values.docs || (values.json === undefined && values.only === undefined),
  };
}
