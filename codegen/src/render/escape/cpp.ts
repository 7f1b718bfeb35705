import { codePoint, visibleLines } from "./controls.js";
import { COLUMN_LIMIT, wrapWords } from "./wrapWords.js";

/** A string literal with its quotes. `?` is escaped where two stand together (trigraphs). */
export function cppString(text: string): string {
  const escaped = text.replace(
    /["\\]|(?<=\?)\?|[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (character) => {
      if (character === "\n") return "\\n";
      if (character === "\t") return "\\t";
      const code = character.codePointAt(0)!;
      // Octal takes three digits at most, so what follows cannot be read into it as with \x.
      if (code < 0x80 && !/["\\?]/.test(character)) return `\\${code.toString(8).padStart(3, "0")}`;
      return code < 0x80 ? `\\${character}` : `\\u${codePoint(character)}`;
    },
  );
  return `"${escaped}"`;
}

/**
 * Lines of a `///` comment with their line ends, "" for an empty text. A line comment has no end
 * mark that a text could forge; a backslash (or the trigraph for one) at a line's end would splice
 * the next line into it and is written as an HTML entity, which documentation tools show as typed.
 */
export function cppComment(text: string, indent: number): string {
  return commentLines(text, `${" ".repeat(indent)}///`)
    .map((line) => line.replace(/\\$/u, "&#92;").replace(/\?\?\/$/u, "??&#47;"))
    .map((line) => `${line}\n`)
    .join("");
}

/** The same in `.proto` files, where a comment is `//` and nothing splices. */
export function protobufComment(text: string, indent: number): string {
  return commentLines(text, `${" ".repeat(indent)}//`)
    .map((line) => `${line}\n`)
    .join("");
}

function commentLines(text: string, mark: string): string[] {
  if (text.trim() === "") return [];
  return visibleLines(text.trim())
    .flatMap((line) => wrapWords(line, COLUMN_LIMIT - mark.length - 1))
    .map((line) => (line === "" ? mark : `${mark} ${line}`));
}
