import { LONGEST_ARRAY, type Field } from "../../model/topology/index.js";
import { refTo, type Described } from "../described/described.js";
import { typeText, type BasicType, type Member } from "./syntax.js";

interface Counterpart {
  type: Field["type"];
  /** Of one element of a buffer. */
  bytes: number;
}

const COUNTERPARTS: Readonly<Record<BasicType, Counterpart>> = {
  char: { type: "int32", bytes: 1 },
  octet: { type: "int32", bytes: 1 },
  short: { type: "int32", bytes: 2 },
  int: { type: "int32", bytes: 4 },
  long: { type: "int64", bytes: 8 },
  float: { type: "float", bytes: 4 },
  double: { type: "double", bytes: 8 },
  boolean: { type: "bool", bytes: 1 },
};

/** What a field has besides its name, tag and the comment. */
type Shape = Pick<Field, "type" | "length" | "repeated"> & { hint?: string; note?: string };

/** A member or parameter as a field; what a person should know of it goes into the notes. */
export function fieldOf(described: Described, of: string, member: Member, tag: number): Field {
  const { hint, note, ...shape } = shapeOf(member);
  if (note !== undefined) described.notes.push(`${of}::${member.name} ${note}.`);
  const doc = [member.doc, hint].filter((part) => part !== undefined).join("\n");
  return { name: member.name, ...shape, tag, ...(doc === "" ? {} : { doc }) };
}

function shapeOf({ type }: Pick<Member, "type">): Shape {
  const { of, length } = type;
  const one = typeof of === "string" ? COUNTERPARTS[of].type : refTo(of.path.join("::"));
  if (length === undefined) return { type: one };
  const text = typeText(type);
  if (of === "char" || of === "octet") return { type: "bytes", hint: `IDL: ${text}` };
  if (length <= LONGEST_ARRAY) return { type: one, length };
  const tooLong = `has more than ${LONGEST_ARRAY} elements`;
  if (typeof of !== "string")
    return {
      type: one,
      repeated: true,
      hint: `IDL: ${text}`,
      note: `${tooLong}: it becomes a list of any length`,
    };
  const { bytes } = COUNTERPARTS[of];
  const each = `of ${bytes === 1 ? "1 byte" : `${bytes} bytes`} each`;
  return {
    type: "buffer",
    hint: `IDL: ${text}, ${each}, little-endian`,
    note: `${tooLong}: it becomes a buffer, little-endian, ${each}`,
  };
}
