import type { Cursor } from "./cursor.js";

/** Definitions that other IDLs have, and FORB's has not. */
const DEFINITIONS: ReadonlySet<string> = new Set([
  "abstract",
  "attribute",
  "const",
  "enum",
  "exception",
  "local",
  "native",
  "readonly",
  "typedef",
  "union",
  "valuetype",
]);
const TYPES: ReadonlySet<string> = new Set([
  "Object",
  "any",
  "fixed",
  "sequence",
  "string",
  "unsigned",
  "wchar",
  "wstring",
]);

export const isForeignDefinition = (word: string): boolean => DEFINITIONS.has(word);
export const isForeignType = (word: string): boolean => TYPES.has(word);

const OPENING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "<": ">" };

/** Takes what is between brackets, those too, however deep; the next word is the opening one. @throws {IdlError} */
function skipBrackets(cursor: Cursor): void {
  const closing: string[] = [];
  do {
    const { kind, text } = cursor.next;
    if (kind === "end") cursor.fail(`"${closing.at(-1)}"`);
    cursor.take();
    if (kind !== "mark") continue;
    const close = OPENING[text];
    if (close !== undefined) closing.push(close);
    else if (text === closing.at(-1)) closing.pop();
  } while (closing.length > 0);
}

/** Takes words up to one of these marks, which stays there. @throws {IdlError} the file ends before */
export function skipTo(cursor: Cursor, marks: readonly string[]): void {
  while (!marks.some((mark) => cursor.isMark(mark))) {
    if (cursor.next.kind === "end") cursor.fail(marks.map((mark) => `"${mark}"`).join(" or "));
    if (cursor.next.kind === "mark" && OPENING[cursor.next.text] !== undefined) skipBrackets(cursor);
    else cursor.take();
  }
}

/** Takes a whole definition and gives its name, the last word before what it is. @throws {IdlError} */
export function skipDefinition(cursor: Cursor): string {
  let name = cursor.take().text;
  while (cursor.next.kind === "name" || cursor.isMark("<") || cursor.isMark("::")) {
    if (cursor.isMark("<")) skipBrackets(cursor);
    else {
      const { kind, text } = cursor.take();
      if (kind === "name" && text !== "switch") name = text;
    }
  }
  skipTo(cursor, [";"]);
  cursor.take();
  return name;
}

/** Takes the rest of a type that begins with a word of those above, and says it. */
export function skipType(cursor: Cursor): string {
  const words = [cursor.take().text];
  if (words[0] === "unsigned")
    while (["short", "long", "int", "char"].includes(cursor.next.text)) words.push(cursor.take().text);
  if (cursor.isMark("<")) {
    skipBrackets(cursor);
    words.push("<...>");
  }
  return words.join(" ");
}
