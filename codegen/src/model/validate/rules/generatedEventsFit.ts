import { quote } from "../../diagnostics/index.js";
import { madeFields } from "../../topology/index.js";
import type { Rule } from "../rule.js";
import { generatorFault } from "../nodes/generatorFault.js";

/** A rate source that makes its events by settings fills fields that are there, with values that fit. */
export const generatedEventsFit: Rule = {
  name: "generatedEventsFit",
  codes: ["PS325", "PS425", "PS426"],
  check({ topology, index, report, didYouMean }) {
    for (const [at, { event, source }] of topology.flows.entries()) {
      const made = madeFields(source);
      if (made === undefined) continue;
      const fields = index.messages.get(event)?.item.fields;
      if (fields === undefined) continue;
      for (const [name, generator] of Object.entries(made)) {
        const place = ["flows", at, "source", "event", name];
        const field = fields.find((candidate) => candidate.name === name);
        if (field === undefined) {
          const names = fields.map((candidate) => candidate.name);
          report("PS425", place, `${quote(event)} has no field ${quote(name)}`, didYouMean(name, names));
          continue;
        }
        const fault = generatorFault(generator, field, index);
        if (fault !== undefined)
          report(fault.code === "expression" ? "PS325" : "PS426", [...place, ...fault.inner], fault.message);
      }
    }
  },
};
