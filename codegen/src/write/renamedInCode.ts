import { CppSpaces } from "./cppSpaces.js";
import { endOfStatement, isName, type CppTokens } from "./cppTokens.js";
import type { DeclaredNames } from "./declaredInCode.js";
import type { DoubtfulWord, DrawnType, NameNow, RenamedNames } from "./renamedNames.js";
import type { WordChange } from "./wordChanges.js";

/** What a text says that is called otherwise by now. */
export interface RenamedInCode {
  /** Means it for sure. */
  changes: WordChange[];
  /** In the order of the text. */
  doubtful: DoubtfulWord[];
}

/**
 * Reads a text for names of messages, enums and values that are called otherwise by now. It knows namespaces, and no
 * types: what may be something else is doubtful. O(length of the text).
 *
 * @param declared by all of the user's files
 */
export function renamedInCode(
  tokens: CppTokens,
  names: RenamedNames,
  declared: DeclaredNames,
): RenamedInCode {
  return new NameReader(tokens, names, declared).read();
}

class NameReader {
  readonly #spaces: CppSpaces;
  readonly #found: RenamedInCode = { changes: [], doubtful: [] };
  /** Tokens that a name before them has told. */
  readonly #told = new Set<number>();
  /** What a value of an enum may be now, by its name. */
  readonly #values: ReadonlyMap<string, NameNow[]>;
  /** Values that stand without their enum from here on. */
  readonly #bare = new Map<string, NameNow>();

  constructor(
    private readonly tokens: CppTokens,
    private readonly names: RenamedNames,
    private readonly declared: DeclaredNames,
  ) {
    this.#spaces = new CppSpaces(tokens);
    this.#values = membersOf(names, "enum", "value");
  }

  read(): RenamedInCode {
    const { words, isBalanced } = this.tokens;
    words.forEach((word, at) => {
      if (isBalanced && (word === "(" || word === "[" || word === "{")) this.#spaces.enter(at);
      else if (isBalanced && (word === ")" || word === "]" || word === "}")) this.#spaces.leave();
      else if (word === "using") this.#use(at);
      else if (isName(word)) this.#name(word, at);
    });
    this.tokens.directives.forEach((directive) => this.#directive(directive));
    this.#found.doubtful.sort((a, b) => a.offset - b.offset);
    return this.#found;
  }

  #name(word: string, at: number): void {
    const { words } = this.tokens;
    const type = this.names.types.get(word);
    const meaning = type === undefined ? undefined : this.#meaningOf(word, at);
    if (type !== undefined && meaning !== undefined) {
      this.#tell(at, meaning, [{ thing: type.kind, of: "", to: type.to }]);
      const member = words[at + 1] === "::" ? words[at + 2] : undefined;
      const to = member === undefined ? undefined : type.members.get(member);
      if (to === undefined) return;
      const now: NameNow = { thing: "value", of: type.to, to };
      this.#told.add(at + 2);
      this.#tell(at + 2, meaning, [now]);
      if (isUsing(words, at)) this.#bare.set(member!, now);
      return;
    }
    if (this.#told.has(at)) return;
    const before = words[at - 1];
    if (before === "::") this.#afterAlias(word, at);
    else if (before !== "." && before !== "->" && !this.#spaces.isEnum) {
      const bare = this.#bare.get(word);
      if (bare !== undefined) this.#tell(at, "doubtful", [bare]);
    }
  }

  /** What the name of a type at `at` means: that of the drawing, perhaps that, or (undefined) another's. */
  #meaningOf(word: string, at: number): "sure" | "doubtful" | undefined {
    const { words } = this.tokens;
    const { project } = this.names;
    const before = words[at - 1];
    if (before === "." || this.#spaces.isEnum) return undefined;
    // A type behind `->` is what a function returns: `auto f() -> Order {`.
    if (before === "->" && words[at + 1] !== "{") return words[at - 2] === ")" ? "doubtful" : undefined;
    if (before === "::") {
      const space = words[at - 2];
      if (!isName(space)) return undefined;
      const outer = words[at - 3] === "::" ? words[at - 4] : undefined;
      if (isName(outer) || /^[>)\]]$/.test(outer ?? "")) return undefined;
      if (space === project) return "sure";
      return this.declared.spaces.has(space) ? "doubtful" : undefined;
    }
    const { space } = this.#spaces;
    const isInside = space === project || space.startsWith(`${project}::`);
    if (isInside || this.#spaces.isUsed(word) || (space === "" && this.#spaces.isUsed("*")))
      return this.declared.hidden.has(word) ? "doubtful" : "sure";
    // A class of the project is defined outside of it, perhaps: `shop::Order shop::Ask::handle(const Item&`.
    return space === "" || this.#spaces.isUsed("*") ? "doubtful" : undefined;
  }

  /** Behind `using T = shop::Tier;` and in a template: `T::Gold`. */
  #afterAlias(word: string, at: number): void {
    const before = this.tokens.words[at - 2] ?? "";
    if (!this.declared.aliases.has(before) && before !== ">" && before !== ")") return;
    const meant = this.#values.get(word);
    if (meant !== undefined) this.#tell(at, "doubtful", meant);
  }

  /** `using enum shop::Tier;`, `using shop::Order;` and `using namespace shop;` */
  #use(at: number): void {
    const { words } = this.tokens;
    const end = endOfStatement(this.tokens, at);
    const name = words[end - 1] ?? "";
    if (words[at + 1] === "namespace") {
      if (name === this.names.project) this.#spaces.use("*");
    } else if (words[at + 1] === "enum") {
      const type = this.names.types.get(name);
      if (type !== undefined && this.#meaningOf(name, end - 1) !== undefined)
        for (const [value, to] of type.members) this.#bare.set(value, { thing: "value", of: type.to, to });
    } else if (words[at + 2] !== "=" && this.names.types.has(name)) {
      if (this.#meaningOf(name, end - 1) === "sure") this.#spaces.use(name);
    }
  }

  /** Of a macro it is not known where it stands in the end. */
  #directive(directive: CppTokens["directives"][number]): void {
    directive.forEach(({ word, offset }, at) => {
      const type = this.names.types.get(word);
      if (type === undefined) return;
      this.#doubt(word, offset, [{ thing: type.kind, of: "", to: type.to }]);
      const member = directive[at + 1]?.word === "::" ? directive[at + 2] : undefined;
      const to = member && type.members.get(member.word);
      if (to !== undefined) this.#doubt(member!.word, member!.offset, [{ thing: "value", of: type.to, to }]);
    });
  }

  #tell(at: number, meaning: "sure" | "doubtful", meant: readonly NameNow[]): void {
    const word = this.tokens.words[at]!;
    const offset = this.tokens.offsets[at]!;
    const isSure = meaning === "sure" && this.names.isGenerated !== false;
    if (!isSure) this.#doubt(word, offset, meant);
    else if (meant[0]!.to !== word) this.#found.changes.push({ offset, word, to: meant[0]!.to });
  }

  #doubt(word: string, offset: number, meant: readonly NameNow[]): void {
    const others = meant.filter(({ to }) => to !== word);
    if (others.length > 0) this.#found.doubtful.push({ word, offset, meant: others });
  }
}

/** Whether the name at `at` is one that a `using` makes known. */
function isUsing(words: readonly string[], at: number): boolean {
  // `using shop::Tier::Gold;`, with `::` in front of it at most.
  return [1, 3, 4].some((back) => words[at - back] === "using");
}

/** What members of that name are called now, of all types of the kind. */
function membersOf(
  { types }: RenamedNames,
  kind: DrawnType["kind"],
  thing: NameNow["thing"],
): ReadonlyMap<string, NameNow[]> {
  const found = new Map<string, NameNow[]>();
  for (const type of types.values())
    if (type.kind === kind)
      for (const [member, to] of type.members) {
        const all = found.get(member) ?? [];
        all.push({ thing, of: type.to, to });
        found.set(member, all);
      }
  return found;
}
