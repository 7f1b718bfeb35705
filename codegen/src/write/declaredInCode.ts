import { endOfStatement, isName, type CppTokens } from "./cppTokens.js";
import type { RenamedNames } from "./renamedNames.js";

/** What the user's code itself gives names to. */
export interface DeclaredNames {
  /** Names of the drawing, older ones and those of now, `calls` and `flows` that it uses for things of its own: alone they may mean either. */
  hidden: Set<string>;
  /** Classes of its own that have another one's names as well. */
  derived: Set<string>;
  /** Types of its own, which hold nothing of the drawing. */
  own: Set<string>;
  /** Other names for types of the drawing, and those that stand for any type. */
  aliases: Set<string>;
  /** Other names for the project's namespace. */
  spaces: Set<string>;
}

/** What is declared where nothing has been read: the message that is built in, whose fields nobody draws. */
export const builtIn = (): DeclaredNames => ({
  hidden: new Set(),
  derived: new Set(),
  own: new Set(["Failure"]),
  aliases: new Set(),
  spaces: new Set(),
});

/** Types that are no name. */
const BUILT_IN = new Set(
  "auto bool char char8_t char16_t char32_t double float int long short signed unsigned void wchar_t".split(
    " ",
  ),
);

/** Whether the token can be the end of a type in front of a name. */
export const endsType = (word: string | undefined): boolean =>
  isName(word) || word === ">" || (word !== undefined && BUILT_IN.has(word));

const BETWEEN = new Set(["const", "volatile", "&", "&&", "*"]);
const BEHIND = new Set(["=", ";", "{", "(", ",", ")", ":", "["]);

/** Whether something is declared by the name at `at`: `int Order;`, `auto& order = `; an expression may look the same. */
export function isDeclared({ words }: CppTokens, at: number): boolean {
  if (!BEHIND.has(words[at + 1] ?? "")) return false;
  let type = at - 1;
  while (BETWEEN.has(words[type] ?? "")) type--;
  return endsType(words[type]);
}

/** Adds what a text declares. O(length of the text). */
export function addDeclared(tokens: CppTokens, { project, types }: RenamedNames, to: DeclaredNames): void {
  const { words, directives } = tokens;
  const now = new Set([...types.values()].map((type) => type.to));
  const isDrawn = (name: string): boolean => types.has(name) || now.has(name);
  const hide = (name: string | undefined): void => {
    if (name !== undefined && isDrawn(name)) to.hidden.add(name);
  };
  words.forEach((word, at) => {
    const [next, behind] = [words[at + 1], words[at + 2]];
    if (word === "enum") hideEnumerators(tokens, at, hide);
    if (word === "class" || word === "typename") {
      if (isName(next) && /^[,>=]$/.test(behind ?? "")) to.aliases.add(next);
    }
    if (/^(?:class|struct|union|enum|typename)$/.test(word)) {
      if (/^(?:[{:,>=]|final)$/.test(behind ?? "")) hide(next);
      // Behind a colon it may have what it has from a message.
      if (isName(next) && behind === "{" && !types.has(next)) to.own.add(next);
      if (isName(next) && (behind === ":" || (behind === "final" && words[at + 3] === ":")))
        to.derived.add(next);
    } else if (word === "namespace") {
      hide(next);
      const last = endOfStatement(tokens, at) - 1;
      if (isName(next) && behind === "=" && words[last] === project) to.spaces.add(next);
    } else if (word === "using" || word === "typedef") {
      const end = endOfStatement(tokens, at);
      const name = word === "using" ? next : words[end - 1];
      if (word === "using" && behind !== "=") {
        if (words[end - 2] === "::" && words[end - 3] !== project) hide(words[end - 1]);
      } else {
        hide(name);
        if (isName(name) && words.slice(at + 2, end).some((part) => types.has(part))) to.aliases.add(name);
      }
    } else if (word === "calls" || word === "flows") {
      if (isDeclared(tokens, at)) to.hidden.add(word);
    } else if (isDrawn(word)) {
      const bracket = words[at - 1] === "[" && /^[,\]=]$/.test(next ?? "");
      const label = next === ":" && /^[;{}]$/.test(words[at - 1] ?? "");
      if (bracket || label || isDeclared(tokens, at)) to.hidden.add(word);
    }
  });
  for (const [, kind, name] of directives) if (kind?.word === "define") hide(name?.word);
}

/** Names that may stand anywhere without that of their enum. */
function hideEnumerators({ words, partners }: CppTokens, at: number, hide: (name: string) => void): void {
  if (words[at + 1] === "class" || words[at + 1] === "struct") return;
  let open = at + 1;
  while (isName(words[open]) || words[open] === ":" || words[open] === "::") open++;
  if (words[open] !== "{") return;
  for (let value = open + 1; value < partners[open]!; value++) {
    if (words[value - 1] === "{" || words[value - 1] === ",") hide(words[value]!);
    // What stands in brackets is no value.
    if (partners[value]! > value) value = partners[value]!;
  }
}
