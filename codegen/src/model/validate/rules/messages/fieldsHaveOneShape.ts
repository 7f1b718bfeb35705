import { quote, quoteList } from "../../../diagnostics/index.js";
import { LONGEST_ARRAY } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

const CODES = {
  PS214: {
    severity: "error",
    title: "Modifiers that exclude each other",
    explanation:
      "`repeated`, `optional` and `length` say in three ways how many values a field has; at most one can hold.",
    help: "Keep one of them.",
  },
  PS215: {
    severity: "error",
    title: "Length out of range",
    explanation: `A fixed array has 1 to ${LONGEST_ARRAY} elements.`,
    help: "Use a length in that range, or `repeated` for a list of any length.",
  },
} satisfies Codes;

/** `repeated`, `optional` and `length` exclude each other; a fixed array has neither none nor too many elements. */
export const fieldsHaveOneShape = rule({
  name: "fieldsHaveOneShape",
  codes: CODES,
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
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS214",
    title: "repeated and optional",
    spoil: ({ ad }) => force(ad.fields![0]!, { repeated: true, optional: true }),
    pointer: "/messages/1/fields/0/optional",
  },
  {
    code: "PS215",
    title: "an array of nothing",
    spoil: ({ ad }) => void (ad.fields![0]!.length = 0),
    pointer: "/messages/1/fields/0/length",
  },
  {
    code: "PS215",
    title: "an array of 65537",
    spoil: ({ ad }) => void (ad.fields![0]!.length = 65_537),
    pointer: "/messages/1/fields/0/length",
  },
];
