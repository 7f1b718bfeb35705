import path from "node:path";
import { parseArgs } from "node:util";
import { fromTheirs, writableFile } from "../bench/writable-file.mjs";
import { APPLICATIONS } from "./applications.mjs";

export const USAGE = `npm run experiments -- [--json FILE] [--quick] [--only APPLICATION] [--attempts N] [--docs | --redraw]

  Repeats concor's two experiments on the sample applications: what the framework costs against the same
  steps and threads by hand, and what a join costs that is put in and taken out under load. A run of
  everything takes 12 minutes after the builds and draws docs/experiments.md.

  --json FILE         write the rows there, as a list; docs/experiments.md then stays as it is
  --quick             two minutes after the builds, with short and therefore rough runs; draws nothing
  --only APPLICATION  one of ${APPLICATIONS.map(({ name }) => name).join(", ")}; draws nothing
  --attempts N        of each measurement, 1 to 9 (default: 3; of joins with --quick or --only: 1)
  --in FOLDER         where the applications are built (default: build/experiments)
  --docs              draw docs/experiments.md although --json is given
  --redraw            measure nothing: draw docs/experiments.md from the last run of everything
  --help              this text`;

/** Seconds of each part of a run. */
const FULL = { half: 6, fill: 2, limit: 12, steady: 5, change: 5 };
const QUICK = { half: 0.6, fill: 0.5, limit: 1.5, steady: 2, change: 2 };

/** @throws {Error} with words for people when an argument is wrong */
export function experimentOptions(root, args) {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "string" },
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      attempts: { type: "string", default: "3" },
      in: { type: "string" },
      docs: { type: "boolean", default: false },
      redraw: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (!/^[1-9]$/.test(values.attempts))
    throw new Error(`--attempts cannot be ${JSON.stringify(values.attempts)}: it is a number from 1 to 9`);
  const applications = APPLICATIONS.filter(({ name }) => values.only === undefined || name === values.only);
  if (applications.length === 0)
    throw new Error(`--only does not know ${JSON.stringify(values.only)}; see --help`);
  const whole = !values.quick && values.only === undefined;
  if (values.docs && !whole) throw new Error("--docs needs a run of everything, without --quick and --only");
  return {
    help: values.help,
    redraw: values.redraw,
    applications,
    attempts: Number(values.attempts),
    seconds: values.quick ? QUICK : FULL,
    whole,
    folder: values.in === undefined ? path.join(root, "build", "experiments") : fromTheirs(values.in),
    json: values.json === undefined ? undefined : writableFile(values.json),
    docs: whole && (values.docs || values.json === undefined),
  };
}
