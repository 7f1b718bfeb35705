import { jsonSchema } from "../../model/topology/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";

/** `penstock schema`: what other tools and editors check a topology.json with. */
export const command: Command = {
  usage: "[--names]",
  doc: "Prints the JSON Schema of topology.json, or the names that a drawing must not use.",
  positionals: { min: 0, max: 0 },
  options: { names: { type: "boolean", doc: "print the lists of refused names instead" } },
  examples: ["penstock schema > topology.schema.json", "penstock schema --names"],
  async run({ flag, output }) {
    if (!flag("names")) {
      const schema = jsonSchema();
      output.document({ ok: true, problems: [], schema });
      output.result(JSON.stringify(schema, undefined, 2));
      return EXIT.done;
    }
    const { nameLists } = await import("../../model/validate/index.js");
    const lists = nameLists();
    output.document({ ok: true, problems: [], names: lists });
    for (const [title, names] of Object.entries(lists)) {
      output.result(`${output.paint.bold(title)}\n${names.map((name) => `  ${name}`).join("\n")}`);
    }
    return EXIT.done;
  },
};
