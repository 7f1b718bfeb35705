import { readFileSync, statSync } from "node:fs";
import { readSmall } from "../../disk/index.js";
import { isClean, type Problem } from "../../model/diagnostics/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { summary } from "../terminal/problemLines.js";
import { projectPlace } from "../project/projectArgument.js";

const HELP = "Name a folder that holds a drawing, or the drawing itself.";

/** Says why a drawing is not read. */
function unread(file: string, limit: number): never {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Failure(EXIT.failed, "PS700", `${file} is no file`, HELP);
  if (stats.size > limit)
    throw new Failure(EXIT.failed, "PS715", `${file} is larger than ${limit / 1e6} MB`, HELP);
  // The system has its own word for it.
  readFileSync(file);
  throw new Failure(EXIT.failed, "PS700", `${file} cannot be read`, HELP);
}

/** `penstock validate`: every problem of a drawing at once. */
export const command: Command = {
  usage: "[PROJECT]",
  doc: "Checks a drawing and shows all its problems at once, each with its code, place and what helps.",
  positionals: { min: 0, max: 1 },
  options: {},
  examples: ["penstock validate ads", "penstock validate ads/topology.json --json"],
  async run({ positionals, output }) {
    const place = projectPlace(positionals[0]);
    const [{ checkDocument, checkRunnable }, { LARGEST_DRAWING, located }, { projectNodes }] =
      await Promise.all([
        import("../../model/validate/index.js"),
        import("../../model/topology/index.js"),
        import("../../projectNodes.js"),
      ]);
    const nodes = projectNodes(place.dir);
    const text =
      readSmall(place.topologyFile, LARGEST_DRAWING) ?? unread(place.topologyFile, LARGEST_DRAWING);
    const checked = checkDocument(text, nodes.palette, nodes.sources);
    // A correct drawing that this version cannot run is no mistake, but nobody should learn it from `generate` alone.
    const later = checked.topology ? located(checkRunnable(checked.topology, nodes.palette), text) : [];
    const problems = [
      ...nodes.problems,
      ...checked.problems,
      ...later.map((one): Problem => ({ ...one, severity: "warning" })),
    ];
    const ok = isClean(problems);
    output.document({ ok, problems });
    output.problems(problems);
    output.result(summary(problems));
    return ok ? EXIT.done : EXIT.failed;
  },
};
