import { quote } from "../../../diagnostics/index.js";
import { GREATEST_INT32, LEAST_INT32, type Reserved } from "../../../topology/index.js";
import { rule, type Codes, type Place } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

const CODES = {
  PS226: {
    severity: "error",
    title: "Reserved for what is gone",
    explanation:
      "Tags, numbers and names under `reserved` belonged to something that is no more. Old programs and stored bytes still know them, so nothing gets them again.",
    help: "Use another one.",
  },
  PS227: {
    severity: "error",
    title: "Not to be reserved",
    explanation:
      "What is reserved are numbers, ranges from a lower to a higher one, and names of letters, digits and `_`; tags begin with 1.",
    help: "Correct or remove it.",
  },
} satisfies Codes;

interface Member {
  name: string;
  number: number;
  key: "tag" | "number";
}

/** The place of the member with the lowest number that is not below `first`; by halves, as there may be many. */
function firstFrom(byNumber: readonly { number: number; at: number }[], first: number): number {
  let low = 0;
  for (let high = byNumber.length; low < high;) {
    const middle = (low + high) >> 1;
    if (byNumber[middle]!.number < first) low = middle + 1;
    else high = middle;
  }
  return byNumber[low]?.at ?? -1;
}

/** Nothing has a tag, a number or a name that is reserved. */
export const reservedStaysFree = rule({
  name: "reservedStaysFree",
  codes: CODES,
  check({ topology, report }) {
    const check = (
      place: Place,
      owner: string,
      reserved: Reserved,
      lowest: number,
      members: Member[],
    ): void => {
      const byNumber = members
        .map(({ number }, at) => ({ number, at }))
        .toSorted((a, b) => a.number - b.number);
      const byName = new Map(members.map(({ name }, at) => [name, at]));
      const list = place.at(0) === "messages" ? "fields" : "values";
      for (const [at, range] of reserved.numbers.entries()) {
        const [first, last] = typeof range === "number" ? [range, range] : range;
        if (first < lowest || first > last || last > GREATEST_INT32)
          report(
            "PS227",
            [...place, "reserved", "numbers", at],
            `${owner} reserves ${JSON.stringify(range)}`,
          );
        const taken = firstFrom(byNumber, first);
        const member = members[taken];
        if (member !== undefined && member.number <= last)
          report(
            "PS226",
            [...place, list, taken, member.key],
            `${quote(member.name)} of ${owner} has the ${member.key} ${member.number}, which is reserved`,
          );
      }
      for (const [at, name] of reserved.names.entries()) {
        if (!IDENTIFIER.test(name))
          report("PS227", [...place, "reserved", "names", at], `${owner} reserves the name ${quote(name)}`);
        const taken = byName.get(name);
        if (taken !== undefined)
          report("PS226", [...place, list, taken, "name"], `${quote(name)} of ${owner} is a reserved name`);
      }
    };
    for (const [at, { name, fields, reserved }] of topology.messages.entries())
      if (reserved !== undefined)
        check(
          ["messages", at],
          quote(name),
          reserved,
          1,
          fields.map((field) => ({ name: field.name, number: field.tag, key: "tag" })),
        );
    for (const [at, { name, values, reserved }] of topology.enums.entries())
      if (reserved !== undefined)
        check(
          ["enums", at],
          quote(name),
          reserved,
          LEAST_INT32,
          values.map((value) => ({
            name: value.protoName ?? value.name,
            number: value.number,
            key: "number",
          })),
        );
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS226",
    title: "a reserved tag",
    spoil: ({ ad }) => force(ad, { reserved: { numbers: [[1, 4]] } }),
    pointer: "/messages/1/fields/0/tag",
  },
  {
    code: "PS226",
    title: "a reserved name",
    spoil: ({ ad }) => force(ad, { reserved: { names: ["text"] } }),
    pointer: "/messages/1/fields/0/name",
  },
  {
    code: "PS226",
    title: "a reserved number of an enum",
    spoil: ({ tier }) => force(tier, { reserved: { numbers: [1] } }),
    pointer: "/enums/0/values/1/number",
  },
  {
    code: "PS227",
    title: "a range from high to low",
    spoil: ({ ad }) => force(ad, { reserved: { numbers: [[9, 7]] } }),
    pointer: "/messages/1/reserved/numbers/0",
  },
  {
    code: "PS227",
    title: "a reserved name that ends a text",
    spoil: ({ ad }) => force(ad, { reserved: { names: ['a"; }'] } }),
    pointer: "/messages/1/reserved/names/0",
  },
];
