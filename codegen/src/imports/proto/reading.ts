import type protobuf from "protobufjs";
import { GREATEST_INT32, LEAST_INT32, type Reserved } from "../../model/topology/index.js";
import { NotReadable, refTo, type Described, type Thing } from "../described/described.js";
import type { Loaded } from "./loadProto.js";
import { completeName } from "./reflection.js";

/** What readers of parts are handed. */
export interface Reading {
  loaded: Loaded;
  described: Described;
  /** Names something that has no counterpart; `at` is what `spotOf` knows it by. */
  leaveOut: (name: string, reason: string, at?: string) => void;
  /** A note that is there once. */
  note: (text: string) => void;
}

/** How a described type stands in the lists: nested names are joined. */
export function asThing<T extends { name: string }>(
  item: protobuf.Type | protobuf.Enum,
  { packageOf }: Loaded,
  made: Omit<T, "name">,
): Thing<T> {
  const from = completeName(item);
  const space = packageOf(item);
  const own = space !== "" && from.startsWith(`${space}.`) ? from.slice(space.length + 1) : from;
  const name = own
    .split(".")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
  return { from, scope: space.split(".").at(-1) ?? "", item: { name, ...made } as T };
}

export const refToType = (type: protobuf.Type | protobuf.Enum): string => refTo(completeName(type));

/** What the parser makes of a group; its types do not tell. */
export const isGroup = (type: protobuf.Type): boolean => (type as { group?: boolean }).group === true;

/** True for one whose fields are numbers here: a drawing's enum has a value 0. */
export const isNumbersOnly = (item: protobuf.Enum): boolean => !Object.values(item.values).includes(0);

/** The parser takes numbers of any size; protobuf has none beyond 32 bits. @throws {NotReadable} */
export function refuseLongNumber(name: string, number: number, { spotOf }: Loaded): void {
  if (number >= LEAST_INT32 && number <= GREATEST_INT32) return;
  const { file, line } = spotOf(name);
  throw new NotReadable(`the number of ${name} has more than 32 bits`, file, line);
}

/** What the parser keeps of `reserved`: ranges and names. */
export function reservedOf(
  item: { reserved?: (number[] | string)[] } & protobuf.ReflectionObject,
  loaded: Loaded,
): { reserved?: Reserved } {
  const reserved: Reserved = { numbers: [], names: [] };
  for (const one of item.reserved ?? []) {
    if (typeof one === "string") reserved.names.push(one);
    else {
      const [first = 0, last = first] = one;
      for (const end of [first, last]) refuseLongNumber(completeName(item), end, loaded);
      reserved.numbers.push(first === last ? first : [first, last]);
    }
  }
  return reserved.numbers.length + reserved.names.length === 0 ? {} : { reserved };
}
