import { quote, quoteList } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

export const LONGEST_ARRAY = 65_536;

/** `repeated`, `optional` and `length` exclude each other; a fixed array has 1 to 65536 elements. */
export const fieldsHaveOneShape: Rule = {
  name: "fieldsHaveOneShape",
  codes: ["PS214", "PS215"],
  check({ topology, report }) {
    for (const [at, message] of topology.messages.entries())
      for (const [inner, { name, repeated, optional, length }] of message.fields.entries()) {
        const place = ["messages", at, "fields", inner];
        if (repeated === undefined && optional === undefined && length === undefined) continue;
        const owner = `The field ${quote(name)} of ${quote(message.name)}`;
        const said = [
          ...(repeated === true ? ["repeated"] : []),
          ...(optional === true ? ["optional"] : []),
          ...(length === undefined ? [] : ["length"]),
        ];
        const second = said[1];
        if (second !== undefined)
          report("PS214", [...place, second], `${owner} has ${quoteList(said)}, which exclude each other`);
        if (length !== undefined && (length < 1 || length > LONGEST_ARRAY))
          report(
            "PS215",
            [...place, "length"],
            `${owner} has the length ${length}, not 1 to ${LONGEST_ARRAY}`,
          );
      }
  },
};
