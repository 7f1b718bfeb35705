import { SCALAR_TYPES, type Field } from "../schema/schema.js";

const NEVER: ReadonlySet<string> = new Set(["string", "bytes", "buffer"]);
const SCALARS: ReadonlySet<string> = new Set(SCALAR_TYPES.filter((type) => !NEVER.has(type)));

/** Whether protobuf packs a field unless told not to: a list of numbers, bools or values of an enum. */
export const canPack = (
  { type, repeated, length, key }: Field,
  enums: { has(name: string): boolean },
): boolean =>
  (repeated === true || length !== undefined) && key === undefined && (SCALARS.has(type) || enums.has(type));
