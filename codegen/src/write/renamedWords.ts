import { CPP_PIECES } from "./cppPieces.js";
import type { WordChange } from "./wordChanges.js";

/** What stands before the name of a benchmark, or of a handler that is not written yet. */
const NAMES_ITSELF = /(?:->\s*Name|\bthrow_unimplemented)\s*\(\s*$/;

/** A namespace is none that is within another one: `nlohmann::json::` is not `json::`. */
const wordPattern = ([from]: readonly [from: string, to: string]): string =>
  from.endsWith("::") ? `(?<!\\w::)${from}` : from;

/**
 * Any of the words, whole, and none that is something else's: a member (`price.Echo`, `it->Echo`), or what is named within
 * something that none of the words names (`Level::Loud`, `other::Echo::Loud`).
 */
function anyOf(words: readonly (readonly [from: string, to: string])[]): RegExp {
  const own = new Set(words.flatMap(([from]) => from.match(/\w+/g) ?? []));
  const within = `(?<=(?<![\\w>)]::|\\w|(?:\\.|->)\\s{0,16})(?:(?:${[...own].join("|")})::)*)`;
  return new RegExp(`${within}\\b(?:${words.map(wordPattern).join("|")})(?:(?<=::)|\\b)`, "g");
}

/**
 * What follows a rename in one file of the user's: whole words in code and comments, the file name in `#include` lines, and
 * the name that a benchmark or a start gives itself. Other string and character literals are left alone: they may be data.
 */
export function renamedWords(
  text: string,
  words: readonly (readonly [from: string, to: string])[],
  headers: readonly (readonly [from: string, to: string])[],
): WordChange[] {
  const word = anyOf(words);
  const changes: WordChange[] = [];
  const change = (offset: number, from: string, to: string): void => {
    if (from !== to) changes.push({ offset, word: from, to });
  };
  const changeWords = (code: string, offset: number): void => {
    if (words.length === 0) return;
    for (const { 0: found, index } of code.matchAll(word))
      change(offset + index, found, words.find(([from]) => from === found)?.[1] ?? found);
  };
  let at = 0;
  for (const { 0: piece, index } of text.matchAll(CPP_PIECES)) {
    changeWords(text.slice(at, index), at);
    if (/^[ \t]*#/.test(piece))
      change(
        index,
        piece,
        headers.reduce((result, [from, to]) => result.replaceAll(from, to), piece),
      );
    else if (/^\/[/*]/.test(piece) || NAMES_ITSELF.test(text.slice(Math.max(0, index - 64), index)))
      changeWords(piece, index);
    at = index + piece.length;
  }
  changeWords(text.slice(at), at);
  return changes;
}
