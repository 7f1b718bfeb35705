import { CPP_PIECES } from "./cppPieces.js";

/** What stands before the name of a benchmark, or of a handler that is not written yet. */
const NAMES_ITSELF = /(?:->\s*Name|\bthrow_unimplemented)\s*\(\s*$/;

/** A namespace is none that is within another one: `nlohmann::json::` is not `json::`. */
const wordPattern = ([from]: readonly [from: string, to: string]): string =>
  from.endsWith("::") ? `(?<!\\w::)${from}` : from;

/**
 * Follows a rename in one file of the user's: whole words in code and comments, but for those of `penstock` and
 * `std`, the file name in `#include` lines, and the name that a benchmark or a start gives itself. Other string and
 * character literals are left alone: they may be data.
 */
export function renameInText(
  text: string,
  words: readonly (readonly [from: string, to: string])[],
  headers: readonly (readonly [from: string, to: string])[],
): string {
  const word = new RegExp(
    `(?<!\\b(?:penstock|std)::(?:\\w+::)*)\\b(?:${words.map(wordPattern).join("|")})(?:(?<=::)|\\b)`,
    "g",
  );
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
    else if (piece.startsWith("//") || piece.startsWith("/*") || NAMES_ITSELF.test(result.slice(-64)))
      result += replaceWords(piece);
    else result += piece;
    at = match.index + piece.length;
  }
  return result + replaceWords(text.slice(at));
}
