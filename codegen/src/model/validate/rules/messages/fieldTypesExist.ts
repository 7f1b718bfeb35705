import { quote } from "../../../diagnostics/index.js";
import { FAILURE, SCALAR_TYPES } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const BUILT_IN: ReadonlySet<string> = new Set([...SCALAR_TYPES, FAILURE]);

const CODES = {
  PS210: {
    severity: "error",
    title: "Unknown type",
    explanation: "The type of a field is a scalar type, or a message or enum of this topology.",
    help: "Use a type that exists, or add the message or enum.",
  },
} satisfies Codes;

/** The type of a field is a scalar, or an enum or message that exists. */
export const fieldTypesExist = rule({
  name: "fieldTypesExist",
  codes: CODES,
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
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS210",
    title: "row 65: a field of an unknown type",
    spoil: ({ ad }) => void (ad.fields![1]!.type = "Teir"),
    pointer: "/messages/1/fields/1/type",
    node: "message:Ad",
    help: 'Did you mean "Tier"?',
  },
];
