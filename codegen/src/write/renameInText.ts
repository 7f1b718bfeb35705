import { CPP_PIECES } from "./cppPieces.js";

/**
 * Follows a rename in one file of the user's: whole words in code and comments, and the file name in
 * `#include` lines. Other string and character literals are left alone: they may be data.
 */
export function renameInText(
  text: string,
  words: readonly (readonly [from: string, to: string])[],
  headers: readonly (readonly [from: string, to: string])[],
): string {
  const word = new RegExp(`\\b(?:${words.map(([from]) => from).join("|")})\\b`, "g");
  const replaceWords = (code: string): string =>
    words.length === 0
      ? code
      : code.replace(word, (found) => words.find(([from]) => from === found)?.[1] ?? found);
  const replaceHeaders = (line: string): string =>
    headers.reduce((result, [from, to]) => result.replaceAll(from, to), line);
  let result = "";
  let at = 0;
  for (const match of text.matchAll(CPP_PIECES)) {
    const piece = match[0];
    result += replaceWords(text.slice(at, match.index));
    if (/^[ \t]*#/.test(piece)) result += replaceHeaders(piece);
    else result += piece.startsWith("//") || piece.startsWith("/*") ? replaceWords(piece) : piece;
    at = match.index + piece.length;
  }
  return result + replaceWords(text.slice(at));
}
