import { isClean } from "../../model/diagnostics/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { projectPlace } from "../project/projectArgument.js";

/** `penstock nodes`: the palette of nodes whose handlers are generated, and of sources. */
export const command: Command = {
  usage: "[PROJECT]",
  doc: "Lists the standard nodes and sources, and those that the project named brings itself; with --json with their ports and settings.",
  positionals: { min: 0, max: 1 },
  options: {},
  examples: ["penstock nodes", "penstock nodes ads --json"],
  async run({ positionals, output }) {
    const { listNodes } = await import("../../projectNodes.js");
    const [project] = positionals;
    const { nodes, sources, problems } = listNodes(
      project === undefined ? undefined : projectPlace(project).dir,
    );
    const ok = isClean(problems);
    output.document({ ok, problems, nodes, sources });
    output.problems(problems);
    const lines = [...nodes, ...sources.map((source) => ({ ...source, type: `source ${source.kind}` }))];
    const width = Math.max(...lines.map(({ type }) => type.length));
    for (const { type, doc, own } of lines)
      output.result(`${output.paint.bold(type.padEnd(width))}  ${doc}${own ? " (of this project)" : ""}`);
    return ok ? EXIT.done : EXIT.failed;
  },
};
