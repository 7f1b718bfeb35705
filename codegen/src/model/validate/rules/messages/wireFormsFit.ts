import { quote } from "../../../diagnostics/index.js";
import { canPack, type Field } from "../../../topology/index.js";
import { nameFault } from "../../names/nameFault.js";
import { rule, type Codes } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

const CODES = {
  PS222: {
    severity: "error",
    title: "Encoding that the type has not",
    explanation:
      "`zigzag` is for int32 and int64, `fixed` for these and for uint32 and uint64; other types lie on the wire in one way only.",
    help: "Remove the encoding, or use another type.",
  },
  PS223: {
    severity: "error",
    title: "Key of what is no list",
    explanation: "A map is a list with a key: its field is `repeated`.",
    help: "Make the field repeated, or remove the key.",
  },
  PS224: {
    severity: "error",
    title: "Member of a oneof that always has a value",
    explanation: "Of a oneof at most one member has a value, so each of them is `optional`.",
    help: "Make the field optional, or take it out of the oneof.",
  },
  PS225: {
    severity: "error",
    title: "Name of a oneof that cannot be used",
    explanation: "In the `.proto` a oneof has a name of its own among those of the fields, of the same form.",
    help: "Use another name.",
  },
  PS229: {
    severity: "error",
    title: "Packing of what is never packed",
    explanation:
      '`"packed": false` is for lists of numbers, bools and values of enums, which lie behind one tag otherwise; all else has a tag for each anyway.',
    help: "Remove `packed`.",
  },
} satisfies Codes;

const ENCODABLE: Readonly<Record<string, readonly string[]>> = {
  zigzag: ["int32", "int64"],
  fixed: ["int32", "int64", "uint32", "uint64"],
};

/** Encodings, packing, keys and oneofs stand where they mean something. */
export const wireFormsFit = rule({
  name: "wireFormsFit",
  codes: CODES,
  check({ topology, index, report }) {
    for (const [at, message] of topology.messages.entries()) {
      const names = new Set(message.fields.map(({ name }) => name));
      for (const [inner, field] of message.fields.entries()) {
        const place = (key: keyof Field) => ["messages", at, "fields", inner, key];
        const owner = (): string => `The field ${quote(field.name)} of ${quote(message.name)}`;
        const { type, encoding, key, oneof } = field;
        if (encoding !== undefined && ENCODABLE[encoding]?.includes(type) !== true)
          report(
            "PS222",
            place("encoding"),
            `${owner()} is ${quote(type)}, which has no encoding ${encoding}`,
          );
        if (field.packed !== undefined && !canPack(field, index.enums))
          report("PS229", place("packed"), `${owner()} is no list that would be packed`);
        if (key !== undefined && field.repeated !== true)
          report("PS223", place("key"), `${owner()} has a key and is not repeated`);
        if (oneof === undefined) continue;
        if (field.optional !== true)
          report("PS224", place("oneof"), `${owner()} is of the oneof ${quote(oneof)} and not optional`);
        const fault = nameFault("field", oneof);
        if (fault !== undefined)
          report("PS225", place("oneof"), fault.message, {
            help: `Use another name, for example ${quote(fault.suggestion)}.`,
          });
        else if (names.has(oneof))
          report("PS225", place("oneof"), `${owner()} is of a oneof ${quote(oneof)}, which is a field`);
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS222",
    title: "zigzag of what has no sign",
    spoil: ({ ad }) => force(ad.fields![0]!, { type: "uint32", encoding: "zigzag" }),
    pointer: "/messages/1/fields/0/encoding",
  },
  {
    code: "PS223",
    title: "a key of one value",
    spoil: ({ ad }) => void (ad.fields![0]!.key = "string"),
    pointer: "/messages/1/fields/0/key",
  },
  {
    code: "PS224",
    title: "a oneof of what is always there",
    spoil: ({ ad }) => void (ad.fields![0]!.oneof = "what"),
    pointer: "/messages/1/fields/0/oneof",
  },
  {
    code: "PS225",
    title: "a oneof with the name of a field",
    spoil: ({ ad }) => force(ad.fields![0]!, { optional: true, oneof: "tier" }),
    pointer: "/messages/1/fields/0/oneof",
  },
  {
    code: "PS225",
    title: "a oneof named by a keyword",
    spoil: ({ ad }) => force(ad.fields![0]!, { optional: true, oneof: "union" }),
    pointer: "/messages/1/fields/0/oneof",
    help: '"union_value"',
  },
  {
    code: "PS229",
    title: "a list of texts that is not packed",
    spoil: ({ ad }) => force(ad.fields![0]!, { type: "string", repeated: true, packed: false }),
    pointer: "/messages/1/fields/0/packed",
  },
  {
    code: "PS229",
    title: "one number that is not packed",
    spoil: ({ ad }) => force(ad.fields![0]!, { type: "int32", packed: false }),
    pointer: "/messages/1/fields/0/packed",
  },
  {
    code: "PS229",
    title: "a map that is not packed",
    spoil: ({ ad }) => force(ad.fields![0]!, { type: "int32", repeated: true, key: "string", packed: false }),
    pointer: "/messages/1/fields/0/packed",
  },
];
