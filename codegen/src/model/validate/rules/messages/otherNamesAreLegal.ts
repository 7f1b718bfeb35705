import { quote } from "../../../diagnostics/index.js";
import { protoJsonName } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

const CODES = {
  PS228: {
    severity: "error",
    title: "Name for JSON or protobuf that cannot be used",
    explanation:
      "`jsonName` of a field and `protoName` of an enum's value are letters, digits and `_`, 128 at most; of one message all names in JSON differ.",
    help: "Use another name, or leave it out.",
  },
} satisfies Codes;

/** Names that are given for JSON and the `.proto` alone have a form, and those of a message's JSON differ. */
export const otherNamesAreLegal = rule({
  name: "otherNamesAreLegal",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, message] of topology.messages.entries()) {
      if (message.fields.every(({ jsonName }) => jsonName === undefined)) continue;
      const owners = new Map<string, number>();
      for (const [inner, { name, jsonName }] of message.fields.entries()) {
        const place = ["messages", at, "fields", inner, jsonName === undefined ? "name" : "jsonName"];
        const inJson = jsonName ?? protoJsonName(name);
        if (!IDENTIFIER.test(inJson)) report("PS228", place, `${quote(inJson)} is no name in JSON`);
        for (const one of new Set([inJson, name])) {
          const other = owners.get(one);
          if (other === undefined) owners.set(one, inner);
          else report("PS228", place, `Two fields of ${quote(message.name)} are ${quote(one)} in JSON`);
        }
      }
    }
    for (const [at, { values }] of topology.enums.entries())
      for (const [inner, { protoName }] of values.entries())
        if (protoName !== undefined && !IDENTIFIER.test(protoName))
          report(
            "PS228",
            ["enums", at, "values", inner, "protoName"],
            `${quote(protoName)} is no name in protobuf`,
          );
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS228",
    title: "a name in JSON that ends a text",
    spoil: ({ ad }) => force(ad.fields![0]!, { jsonName: 'a", evil(' }),
    pointer: "/messages/1/fields/0/jsonName",
  },
  {
    code: "PS228",
    title: "two fields with one name in JSON",
    spoil: ({ ad }) => force(ad.fields![0]!, { jsonName: "tier" }),
    pointer: "/messages/1/fields/1/name",
  },
  {
    code: "PS228",
    title: "a name in protobuf with a line break",
    spoil: ({ tier }) => force(tier.values![0]!, { protoName: "A\nB" }),
    pointer: "/enums/0/values/0/protoName",
  },
];
