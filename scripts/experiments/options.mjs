import { fileURLToPath } from "node:url";
import { fromTheirs } from "../measure/command.mjs";
import { APPLICATIONS } from "./applications.mjs";

const USAGE = `npm run experiments -- [--json FILE] [--quick] [--only APPLICATION] [--attempts N] [--docs | --redraw]

  Repeats concor's two experiments on the sample applications: what the framework costs against the same
  steps and threads by hand, and what a join costs that is put in and taken out under load; and looks at the
  memory before, in and after an overload. A run of everything takes 17 minutes after the builds and draws
  docs/experiments.md.

  --json FILE         write the rows there, as a list; docs/experiments.md then stays as it is
  --quick             two minutes after the builds, with short and therefore rough runs; draws nothing
  --only APPLICATION  one of ${APPLICATIONS.map(({ name }) => name).join(", ")}; draws nothing
  --attempts N        of each measurement, 1 to 9 (default: 3; of joins with --quick or --only: 1)
  --in FOLDER         where the applications are built (default: build/experiments)
  --docs              draw docs/experiments.md although --json is given
  --redraw            measure nothing: draw docs/experiments.md from the last run of everything
  --help              this text`;

/** Seconds of each part of a run. */
const FULL = { half: 6, fill: 2, limit: 12, steady: 5, change: 5, memory: 40 };
const QUICK = { half: 0.6, fill: 0.5, limit: 1.5, steady: 2, change: 2, memory: 3 };
const IN_THE_CLONE = fileURLToPath(new URL("../../build/experiments", import.meta.url));

/** What `npm run experiments` takes of its own. */
export const EXPERIMENT_OPTIONS = {
  usage: USAGE,
  parts: "--quick and --only",
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    attempts: { type: "string", default: "3" },
    in: { type: "string" },
  },
  read({ quick, only, attempts, in: folder }) {
    if (!/^[1-9]$/.test(attempts))
      throw new Error(`--attempts cannot be ${JSON.stringify(attempts)}: it is a number from 1 to 9`);
    const applications = APPLICATIONS.filter(({ name }) => only === undefined || name === only);
    if (applications.length === 0)
      throw new Error(`--only does not know ${JSON.stringify(only)}; see --help`);
    return {
      applications,
      attempts: Number(attempts),
      seconds: quick ? QUICK : FULL,
      whole: !quick && only === undefined,
      folder: folder === undefined ? IN_THE_CLONE : fromTheirs(folder),
    };
  },
};
