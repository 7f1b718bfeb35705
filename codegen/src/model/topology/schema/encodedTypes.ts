import { type Encoding, type Field, SCALAR_TYPES } from "./schema.js";

/** Whole numbers that lie otherwise on the wire, by protobuf's names. */
export const ENCODED_TYPES: Readonly<Record<string, { type: string; encoding: Encoding }>> = {
  sint32: { type: "int32", encoding: "zigzag" },
  sint64: { type: "int64", encoding: "zigzag" },
  fixed32: { type: "uint32", encoding: "fixed" },
  fixed64: { type: "uint64", encoding: "fixed" },
  sfixed32: { type: "int32", encoding: "fixed" },
  sfixed64: { type: "int64", encoding: "fixed" },
};

/** What protobuf calls the type of such a number; of any other field its type as it is here. */
export const encodedType = ({ type, encoding }: Pick<Field, "type" | "encoding">): string =>
  Object.entries(ENCODED_TYPES).find(([, one]) => one.type === type && one.encoding === encoding)?.[0] ??
  type;

const NEVER: ReadonlySet<string> = new Set(["string", "bytes", "buffer"]);
const SCALARS: ReadonlySet<string> = new Set(SCALAR_TYPES.filter((type) => !NEVER.has(type)));

/** Whether protobuf packs a field unless told not to: a list of numbers, bools or values of an enum. */
export const canPack = (
  { type, repeated, length, key }: Field,
  enums: { has(name: string): boolean },
): boolean =>
  (repeated === true || length !== undefined) && key === undefined && (SCALARS.has(type) || enums.has(type));
