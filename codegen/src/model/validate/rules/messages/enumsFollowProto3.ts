import { quote } from "../../../diagnostics/index.js";
import { GREATEST_INT32, LEAST_INT32, protoValueName } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import { NAMES_COLLIDE } from "../names/index.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS217: {
    severity: "error",
    title: "Enum without values",
    explanation: "An enum has at least one value (its first is the default).",
    help: "Add a value with the number 0.",
  },
  PS218: {
    severity: "error",
    title: "First enum value is not 0",
    explanation: "As in proto3, the first value is the default and has the number 0.",
    help: "Put a value with the number 0 first.",
  },
  PS219: {
    severity: "error",
    title: "Enum number out of range",
    explanation: `Enum numbers are 32-bit: ${LEAST_INT32} to ${GREATEST_INT32}.`,
    help: "Use a number in that range.",
  },
  PS220: {
    severity: "error",
    title: "Enum number used twice",
    explanation: "Two values with one number would be one value with two names.",
    help: "Give each value its own number.",
  },
  PS207: NAMES_COLLIDE,
} satisfies Codes;

/**
 * Enums follow proto3: not empty, the first number 0, all of them int32 and different; and the names
 * that their values get in the `.proto`, where all enums share one scope, do not meet.
 */
export const enumsFollowProto3 = rule({
  name: "enumsFollowProto3",
  codes: CODES,
  check({ topology, report }) {
    const inProto = new Map<string, { enumAt: number; shown: string }>();
    for (const [at, { name: enumName, values }] of topology.enums.entries()) {
      if (values.length === 0) report("PS217", ["enums", at], `The enum ${quote(enumName)} has no value`);
      const numbers = new Map<number, string>();
      for (const [inner, { name, number, protoName }] of values.entries()) {
        const place = ["enums", at, "values", inner];
        const owner = `${quote(name)} of ${quote(enumName)}`;
        if (inner === 0 && number !== 0)
          report(
            "PS218",
            [...place, "number"],
            `The first value of ${quote(enumName)} has the number ${number}, not 0`,
          );
        if (number < LEAST_INT32 || number > GREATEST_INT32)
          report(
            "PS219",
            [...place, "number"],
            `${owner} has the number ${number}, not ${LEAST_INT32} to ${GREATEST_INT32}`,
          );
        const same = numbers.get(number);
        if (same === undefined) numbers.set(number, name);
        else
          report("PS220", [...place, "number"], `${owner} has the number ${number}, as ${quote(same)} has`);

        const proto = protoName ?? protoValueName(enumName, name);
        const met = inProto.get(proto);
        if (met === undefined) inProto.set(proto, { enumAt: at, shown: owner });
        else if (met.enumAt !== at)
          report(
            "PS207",
            [...place, "name"],
            `${owner} and ${met.shown} become one name in the .proto (${quote(proto)})`,
          );
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS207",
    title: "enum values that meet in the .proto",
    spoil: ({ document }) =>
      void document.enums!.push(
        { name: "A", values: [{ name: "B_C", number: 0 }] },
        { name: "AB", values: [{ name: "X", number: 0 }] },
        { name: "AbC", values: [{ name: "Y", number: 0 }] },
        { name: "Ab", values: [{ name: "C_Y", number: 0 }] },
      ),
    pointer: "/enums/4/values/0/name",
  },
  {
    code: "PS217",
    title: "an empty enum",
    spoil: ({ document }) => void document.enums!.push({ name: "None" }),
    pointer: "/enums/1",
    node: "enum:None",
  },
  {
    code: "PS218",
    title: "an enum that starts with 1",
    spoil: ({ document }) =>
      void document.enums!.push({ name: "From1", values: [{ name: "ONE", number: 1 }] }),
    pointer: "/enums/1/values/0/number",
  },
  {
    code: "PS219",
    title: "an enum number beyond int32",
    spoil: ({ tier }) => void (tier.values![1]!.number = 2 ** 31),
    pointer: "/enums/0/values/1/number",
  },
  {
    code: "PS220",
    title: "an alias",
    spoil: ({ tier }) => void (tier.values![1]!.number = 0),
    pointer: "/enums/0/values/1/number",
  },
];
