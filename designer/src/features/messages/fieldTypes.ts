import { SCALAR_TYPES, type Encoding, type Field, type Topology } from "@penstock/codegen/topology";
import { madeOnce } from "../../kernel/document/madeOnce.js";

/** Whole numbers that lie otherwise on the wire, by protobuf's names. */
export const ENCODED_TYPES: Readonly<Record<string, { type: string; encoding: Encoding }>> = {
  sint32: { type: "int32", encoding: "zigzag" },
  sint64: { type: "int64", encoding: "zigzag" },
  fixed32: { type: "uint32", encoding: "fixed" },
  fixed64: { type: "uint64", encoding: "fixed" },
  sfixed32: { type: "int32", encoding: "fixed" },
  sfixed64: { type: "int64", encoding: "fixed" },
};

/** The name that a field's type has in the list. */
export const encodedType = ({ type, encoding }: Field): string =>
  Object.keys(ENCODED_TYPES).find(
    (name) => ENCODED_TYPES[name]?.type === type && ENCODED_TYPES[name].encoding === encoding,
  ) ?? type;

let before: ReadonlySet<string> = new Set();

/** What a field can be, in the order of the list: the same set for as long as it is, whatever else is edited. */
export const fieldTypes = madeOnce(({ enums, messages }: Topology): ReadonlySet<string> => {
  const names = [
    ...SCALAR_TYPES,
    ...Object.keys(ENCODED_TYPES),
    ...[...enums, ...messages].map(({ name }) => name),
  ];
  if (names.join() !== [...before].join()) before = new Set(names);
  return before;
});
