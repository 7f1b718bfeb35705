import { readFileSync } from "node:fs";
import { isClean } from "../../diagnostics/index.js";
import type { Command } from "../command.js";
import { EXIT } from "../exitCode.js";
import { summary } from "../problemLines.js";
import { projectPlace } from "../projectArgument.js";

/** `penstock validate`: every problem of a drawing at once. */
export const command: Command = {
  usage: "[PROJECT]",
  doc: "Checks a drawing and shows all its problems at once, each with its code, place and what helps.",
  positionals: { min: 0, max: 1 },
  options: {},
  examples: ["penstock validate ads", "penstock validate ads/topology.json --json"],
  async run({ positionals, output }) {
    const place = projectPlace(positionals[0]);
    const [{ checkDocument }, { projectNodes }] = await Promise.all([
      import("../../validate/index.js"),
      import("../../projectNodes.js"),
    ]);
    const nodes = projectNodes(place.dir);
    const checked = checkDocument(readFileSync(place.topologyFile), nodes.palette);
    const problems = [...nodes.problems, ...checked.problems];
    const ok = isClean(problems);
    output.document({ ok, problems });
    output.problems(problems);
    output.result(summary(problems));
    return ok ? EXIT.done : EXIT.failed;
  },
};
