import type { Cursor } from "./cursor.js";
import { BASIC_TYPES, type IdlFile, type LeftOut } from "./syntax.js";
import type { Token } from "./tokens.js";

/** What is known while a file is read. */
export interface Reading {
  cursor: Cursor;
  file: { definitions: IdlFile["definitions"][number][]; leftOut: LeftOut[] };
}

/** The name of a struct or interface. @throws {IdlError} it is that of a basic type */
export function definedName(cursor: Cursor, what: string): Token {
  if ([...BASIC_TYPES, "void"].some((basic) => basic === cursor.next.text))
    cursor.fail(`the name of ${what}`);
  return cursor.name(`the name of ${what}`);
}
