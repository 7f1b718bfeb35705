import { quote } from "../../model/diagnostics/index.js";
import { GREATEST_INT32 } from "../../model/topology/index.js";
import type { Cursor } from "./cursor.js";
import { IdlError, found } from "./error.js";
import { docOf } from "./cursor.js";
import { isForeignType, skipType } from "./foreign.js";
import type { Module } from "./scope.js";
import { BASIC_TYPES, type BasicType, type Member, type Type } from "./syntax.js";

/** A type that FORB's IDL has not, or that uses what has been left out: why. */
export interface Absent {
  absent: string;
}
export type AbsentMember = Absent & Pick<Member, "name" | "place">;

const isBasic = (word: string): word is BasicType => (BASIC_TYPES as readonly string[]).includes(word);

/** A basic type or the name of a struct that is known here. @throws {IdlError} */
export function parseType(cursor: Cursor, module: Module, expected: string): Type["of"] | Absent {
  if (cursor.next.kind !== "name") cursor.fail(expected);
  const { line, column } = cursor.next;
  const { text } = cursor.next;
  if (module.find([text]) === undefined && isForeignType(text))
    return { absent: `FORB's IDL has no type ${quote(skipType(cursor))}` };
  cursor.take();
  if (isBasic(text)) {
    const second = cursor.next.text;
    if (text !== "long" || (second !== "long" && second !== "double")) return text;
    cursor.take();
    return { absent: `FORB's IDL has no type ${quote(`long ${second}`)}` };
  }
  const name = [text];
  while (cursor.takeIf("::")) name.push(cursor.name("the rest of a scoped name").text);
  const entity = module.find(name);
  if (entity?.kind === "struct") return entity;
  const shown = name.join("::");
  if (entity?.kind === "absent") return { absent: `it uses ${quote(shown)}, which is left out` };
  const instead =
    entity === undefined ? found(shown) : `${found(shown)}, the ${entity.kind} of line ${entity.place.line}`;
  throw new IdlError({ line, column }, `${expected}: a basic one, or a struct defined above`, instead);
}

/** `type name` or `type name[length]`, without what ends it. @throws {IdlError} */
export function parseMember(
  cursor: Cursor,
  module: Module,
  names: Set<string>,
  expected: string,
): Member | AbsentMember {
  const above = cursor.above();
  const of = parseType(cursor, module, expected);
  const { text: name, line, column } = cursor.name("a name");
  if (names.has(name)) throw new IdlError({ line, column }, "a name that is free here", quote(name));
  names.add(name);
  const place = { line, column };
  const length = cursor.takeIf("[") ? parseLength(cursor) : undefined;
  if (typeof of === "object" && "absent" in of) return { ...of, name, place };
  return {
    name,
    type: { of, ...(length === undefined ? {} : { length }) },
    place,
    ...docOf(above, cursor.behind()),
  };
}

function parseLength(cursor: Cursor): number {
  const { kind, text } = cursor.next;
  const length = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  // The length of an array is a number of 32 bits.
  if (kind !== "number" || !(length >= 1 && length <= GREATEST_INT32))
    cursor.fail(`a number of elements, from 1 to ${GREATEST_INT32}`);
  cursor.take();
  cursor.expect("]");
  return length;
}
