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
/** Behind any other word `<` is a sign of a constant: `1 << 3`. */
const TEMPLATES: ReadonlySet<string> = new Set(["fixed", "map", "sequence", "string", "wstring"]);

/** Takes what is between brackets, those too, however deep; the next word is the opening one. @throws {IdlError} */
function skipBrackets(cursor: Cursor): void {
  const closing = [OPENING[cursor.take().text]];
  for (let before = ""; closing.length > 0;) {
    const { kind, text } = cursor.next;
    if (kind === "end") cursor.fail(`"${closing.at(-1)}"`);
    cursor.take();
    if (kind === "mark") {
      const opens = text !== "<" || closing.at(-1) === ">" || TEMPLATES.has(before);
      if (opens && OPENING[text] !== undefined) closing.push(OPENING[text]);
      else if (text === closing.at(-1)) closing.pop();
    }
    before = text;
  }
}

/** Takes words up to one of these marks, which stays there. @throws {IdlError} the file ends before */
export function skipTo(cursor: Cursor, marks: readonly string[]): void {
  let before = "";
  while (!marks.some((mark) => cursor.isMark(mark))) {
    const { kind, text } = cursor.next;
    if (kind === "end") cursor.fail(marks.map((mark) => `"${mark}"`).join(" or "));
    const opens = text !== "<" || TEMPLATES.has(before);
    if (kind === "mark" && opens && OPENING[text] !== undefined) skipBrackets(cursor);
    else cursor.take();
    before = text;
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
