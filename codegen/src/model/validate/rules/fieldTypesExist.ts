import { quote } from "../../diagnostics/index.js";
import { FAILURE, SCALAR_TYPES } from "../../topology/index.js";
import type { Rule } from "../rule.js";

const BUILT_IN: ReadonlySet<string> = new Set([...SCALAR_TYPES, FAILURE]);

/** The type of a field is a scalar, or an enum or message that exists. */
export const fieldTypesExist: Rule = {
  name: "fieldTypesExist",
  codes: ["PS210"],
  check({ topology, index, report, didYouMean }) {
    for (const [at, message] of topology.messages.entries())
      for (const [inner, { name, type }] of message.fields.entries()) {
        if (BUILT_IN.has(type) || index.messages.has(type) || index.enums.has(type)) continue;
        const candidates = function* (): Generator<string> {
          yield* BUILT_IN;
          yield* index.messages.keys();
          yield* index.enums.keys();
        };
        report(
          "PS210",
          ["messages", at, "fields", inner, "type"],
          `The field ${quote(name)} of ${quote(message.name)} has the type ${quote(type)}, which does not exist`,
          didYouMean(type, candidates()),
        );
      }
  },
};
