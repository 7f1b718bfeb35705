import { isName, type CppTokens } from "./cppTokens.js";

/** What stands between two brackets; `code` is the body of a function or of a statement, `list` what initialises. */
export type Within = "space" | "class" | "enum" | "code" | "list" | "round" | "square";

/** What a `{` opens. */
export interface Brace {
  within: Within;
  /** The name of a namespace, "" of an unnamed one. */
  space?: string;
  /** Of a function: the first and the last token of the type it returns. Of a statement: it is in the function around it. */
  returns?: readonly [first: number, last: number] | "outer";
  /** Of a class: it has what others have, types of any name among them. */
  inherits?: boolean;
  /** Of a function: the bracket that its parameters begin with. */
  parameters?: number;
  /** Of a function that is part of an expression: the token that begins it. */
  lambda?: number;
}

/** What a statement begins with whose round brackets stand before its body. */
export const STATEMENT = new Set(["if", "for", "while", "switch", "catch", "constexpr"]);
const BEHIND_PARAMETERS = new Set([
  "const",
  "volatile",
  "noexcept",
  "override",
  "final",
  "mutable",
  "try",
  "&",
  "&&",
]);
const OF_STATEMENT: Brace = { within: "code", returns: "outer" };

/** What the brace at `at` opens, among what `outer` is. Sees the tokens since the last brace or semicolon. */
export function braceAt(tokens: CppTokens, at: number, outer: Within): Brace {
  const { words, partners } = tokens;
  const before = words[at - 1];
  if (before === undefined || /^[;:}]$/.test(before)) return OF_STATEMENT;
  if (before === "{") return outer === "list" ? { within: "list" } : OF_STATEMENT;
  const { first, groups } = headOf(tokens, at);
  const space = spaceOf(words, at);
  if (space !== undefined) return { within: "space", space };
  if (groups.length > 0) {
    const returns = returnsOf(tokens, at, partners[groups.at(-1)!]! + 1);
    if (returns !== undefined) return { ...bodyOf(tokens, first, groups, returns), parameters: groups[0]! };
  }
  if (before === "else" || before === "do" || before === "try") return OF_STATEMENT;
  // Or an array, of whose elements nothing is known either.
  if (before === "]") return { within: "code", lambda: partners[at - 1]! };
  if (before === "extern") return { within: "space", space: "" };
  for (let head = behindTemplate(words, first, at); head < at && words[head] !== "="; head++) {
    if (words[head] === "enum") return { within: "enum" };
    if (/^(?:class|struct|union)$/.test(words[head]!))
      return { within: "class", inherits: words.slice(head, at).includes(":") };
  }
  return { within: "list" };
}

/** From where the statement that a brace is in is one, and its round brackets, from first to last. */
function headOf({ words, partners }: CppTokens, at: number): { first: number; groups: number[] } {
  const groups: number[] = [];
  let first = at;
  for (let next = at - 1; next >= 0; next = first - 1) {
    const word = words[next]!;
    if (/^[;{}([]$/.test(word)) break;
    if (word === ":" && /^(?:public|protected|private)$/.test(words[next - 1] ?? "")) break;
    first = word === ")" || word === "]" ? partners[next]! : next;
    if (word === ")") groups.push(first);
  }
  return { first, groups: groups.reverse() };
}

function spaceOf(words: readonly string[], at: number): string | undefined {
  let from = at;
  while (isName(words[from - 1]) || words[from - 1] === "::" || words[from - 1] === "inline") from--;
  if (words[from - 1] !== "namespace") return undefined;
  return words
    .slice(from, at)
    .filter((word) => word !== "inline")
    .join("");
}

/** Behind its last round bracket: the type after `->`, or none ([]); undefined where no function begins like that. */
function returnsOf({ words }: CppTokens, at: number, from: number): [number, number] | [] | undefined {
  for (let behind = from; behind < at; behind++) {
    if (words[behind] === "->") return [behind + 1, at - 1];
    if (!BEHIND_PARAMETERS.has(words[behind]!)) return undefined;
  }
  return [];
}

/** The body of a function or a statement, which has these round brackets. */
function bodyOf(
  { words, partners }: CppTokens,
  first: number,
  groups: readonly number[],
  behind: [number, number] | [],
): Brace {
  const last = groups.filter((group) => words[group - 1] !== "noexcept").at(-1) ?? first;
  const lambda = words[last - 1] === "]" ? { lambda: partners[last - 1]! } : {};
  if (behind.length === 2) return { within: "code", returns: behind, ...lambda };
  if (words[last - 1] === "]") return { within: "code", ...lambda };
  if (STATEMENT.has(words[last - 1] ?? "")) return OF_STATEMENT;
  // The first are the parameters: others may make members, `Ask::Ask(int a) : a_(a) {`.
  let name = groups[0]! - 1;
  if (!isName(words[name])) return { within: "code" };
  while (name - 2 >= first && words[name - 1] === "::" && isName(words[name - 2])) name -= 2;
  const type = behindTemplate(words, first, name);
  return name > type ? { within: "code", returns: [type, name - 1] } : { within: "code" };
}

/** Behind `template <class T, ...>`. */
function behindTemplate(words: readonly string[], first: number, end: number): number {
  if (words[first] !== "template" || words[first + 1] !== "<") return first;
  let open = 0;
  for (let at = first + 1; at < end; at++) {
    if (words[at] === "<") open++;
    if (words[at] === ">" && --open === 0) return at + 1;
  }
  return first;
}
