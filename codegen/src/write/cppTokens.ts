import { codeOnly } from "./cppPieces.js";

/** A C++ text as words and signs, without comments, literals and directives; lists by the number of the token. */
export interface CppTokens {
  words: readonly string[];
  /** Of the first letter in the text. */
  offsets: readonly number[];
  /** Of each bracket the token that is its other side; -1 for all else. */
  partners: Int32Array;
  /** Each bracket has its other side: what stands within what is known. */
  isBalanced: boolean;
  /** The words of `#define` and of what else is no `#include` or `#if`, to the end of its last line. */
  directives: readonly (readonly { word: string; offset: number }[])[];
}

const DIRECTIVE = /^[ \t]*#(?:[^\n\\]|\\[ \t]*\r?\n|\\[\s\S])*/gm;
const TOKEN =
  /[\p{L}_$][\p{L}\p{N}\p{M}_$]*|\.?\p{N}(?:[eEpP][+-]|'?[\w.])*|\.\.\.|::|->|&&|\|\||[=!<>+\-*/%&|^]=|\S/gu;

/** What only a keyword can be; names of types that are built in among them. */
const KEYWORDS = new Set(
  (
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl " +
    "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do " +
    "double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new " +
    "noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short " +
    "signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid " +
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq"
  ).split(" "),
);

const NAME = /^[\p{L}_$]/u;

export const isName = (word: string | undefined): word is string =>
  word !== undefined && NAME.test(word) && !KEYWORDS.has(word);

/** A statement of more tokens is none that declares another name. */
const LONGEST_STATEMENT = 256;

/** The semicolon of what begins at `from`; the end of the text, or of what is looked at, where there is none. */
export function endOfStatement({ words }: CppTokens, from: number): number {
  const last = Math.min(words.length, from + LONGEST_STATEMENT);
  let end = from;
  while (end < last && words[end] !== ";") end++;
  return end;
}

const OPENING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** O(length of the text). */
export function cppTokens(text: string): CppTokens {
  const directives: { word: string; offset: number }[][] = [];
  const code = codeOnly(text).replace(DIRECTIVE, (directive, offset: number) => {
    const found = Array.from(directive.matchAll(TOKEN), ({ 0: word, index }) => ({
      word,
      offset: offset + index,
    }));
    directives.push(found);
    return directive.replace(/[^\n]/g, " ");
  });
  const words: string[] = [];
  const offsets: number[] = [];
  for (const { 0: word, index } of code.matchAll(TOKEN)) {
    words.push(word);
    offsets.push(index);
  }
  const partners = new Int32Array(words.length).fill(-1);
  const open: number[] = [];
  let isBalanced = true;
  words.forEach((word, at) => {
    if (word === "(" || word === "[" || word === "{") open.push(at);
    const opening = Object.hasOwn(OPENING, word) ? OPENING[word] : undefined;
    if (opening === undefined) return;
    const other = open.pop();
    if (other === undefined || words[other] !== opening) isBalanced = false;
    else [partners[at], partners[other]] = [other, at];
  });
  return { words, offsets, partners, isBalanced: isBalanced && open.length === 0, directives };
}
