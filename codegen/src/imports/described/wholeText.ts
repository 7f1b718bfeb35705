import { NotReadable } from "./described.js";

/** What no text of a drawing may have, a comment neither. @throws {NotReadable} */
export function refuseNoText(file: string, text: string): void {
  const at = text.search(/\p{Surrogate}|\0/u);
  if (at === -1) return;
  const what = text[at] === "\0" ? "a NUL character" : "half a character (a lone surrogate)";
  throw new NotReadable(`the file has ${what} in it`, file, text.slice(0, at).split("\n").length);
}
