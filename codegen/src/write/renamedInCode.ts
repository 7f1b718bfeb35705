import { CppScopes, type Call, type Held } from "./cppScopes.js";
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
 * Reads a text for names of messages, enums, fields and values that are called otherwise by now. It knows namespaces and
 * the types that variables are declared with, and no others: what may be something else is doubtful. O(length of the text).
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
  readonly #scopes: CppScopes;
  readonly #found: RenamedInCode = { changes: [], doubtful: [] };
  /** Tokens that a name before them has told. */
  readonly #told = new Set<number>();
  /** By the name of a field or value what it may be now. */
  readonly #fields: ReadonlyMap<string, Meant>;
  readonly #values: ReadonlyMap<string, Meant>;
  /** What the variable or member holds whose name is a token; null: that is not known. */
  readonly #held = new Map<number, Held | null>();
  /** Values that stand without their enum from here on. */
  readonly #bare = new Map<string, Meant>();

  constructor(
    private readonly tokens: CppTokens,
    private readonly names: RenamedNames,
    private readonly declared: DeclaredNames,
  ) {
    this.#scopes = new CppScopes(
      tokens,
      names.project,
      (at) => this.#messageAt(at),
      (at) => this.#callAt(at),
      (type) => declared.own.has(type) && !declared.aliases.has(type),
      (type) => declared.derived.has(type),
    );
    this.#fields = membersOf(names, "message");
    this.#values = membersOf(names, "enum");
  }

  read(): RenamedInCode {
    const { words, isBalanced } = this.tokens;
    words.forEach((word, at) => {
      if (isBalanced && (word === "(" || word === "[" || word === "{"))
        this.#scopes.enter(at, this.#held.get(words[at - 1] === "=" ? at - 2 : at - 1));
      else if (isBalanced && (word === ")" || word === "]" || word === "}")) this.#leaveBracket(at);
      else if (word === ";") this.#scopes.endStatement();
      else if (word === "using") this.#use(at);
      else if (isName(word)) this.#name(word, at);
    });
    this.tokens.directives.forEach((directive) => this.#directive(directive));
    this.#found.doubtful.sort((a, b) => a.offset - b.offset);
    return this.#found;
  }

  #leaveBracket(at: number): void {
    const type = this.#scopes.leave(at);
    if (type !== undefined) this.#held.set(at, { type, isPointer: false });
  }

  #name(word: string, at: number): void {
    const { words } = this.tokens;
    const before = words[at - 1];
    const type = this.names.types.get(word);
    const meaning = type === undefined ? undefined : this.#meaningOf(word, at);
    if (type !== undefined && meaning !== undefined) this.#type(type, meaning, at);
    else if (before === "." || before === "->") this.#member(word, at);
    else if (before === "::") this.#afterAlias(word, at);
    else if (this.#scopes.within !== "enum") {
      const bare = this.#bare.get(word);
      if (bare !== undefined) this.#doubt(at, bare);
      const held = this.#scopes.variable(at);
      if (HOLDS.has(words[at + 1] ?? "")) this.#held.set(at, held);
    }
  }

  /** A type, and what is named behind it: `Tier::GOLD`, `&Order::id`. */
  #type(type: DrawnType, meaning: "sure" | "doubtful", at: number): void {
    const { words } = this.tokens;
    this.#tell(at, meaning, { thing: type.kind, of: "", to: type.to });
    const member = words[at + 1] === "::" ? words[at + 2] : undefined;
    const now = member === undefined ? undefined : nowOf(type, member);
    if (now === undefined) return;
    this.#told.add(at + 2);
    this.#tell(at + 2, meaning, now);
    if (now.thing === "value" && isUsing(words, at)) this.#bare.set(member!, only(now));
  }

  /** `order.id`, `order->id` and, in a list, `.id = 1` */
  #member(word: string, at: number): void {
    const { words } = this.tokens;
    const [object, before, behind] = [words[at - 2], words[at - 1], words[at + 1]];
    // No field of a message is called, and what is called and pushed into is no message.
    if (behind === "(" || object === "calls" || object === "flows") return;
    const isDesignated =
      before === "." && this.#scopes.within === "list" && (object === "{" || object === ",");
    const holds = isDesignated ? this.#scopes.type : this.#objectOf(at);
    const type = holds === undefined ? undefined : this.names.types.get(holds);
    if (holds === undefined) this.#doubt(at, this.#fields.get(word));
    else if (type?.kind === "message") {
      const now = nowOf(type, word);
      if (now !== undefined) this.#tell(at, "sure", now);
    }
    const inner = type?.holds.get(word);
    if (HOLDS.has(behind ?? ""))
      this.#held.set(at, inner === undefined ? null : { type: inner, isPointer: false });
  }

  /** The message whose member is at `at`, "" where it is none of the drawing's; undefined: that is not known. */
  #objectOf(at: number): string | undefined {
    const object = this.#held.get(at - 2);
    if (object === undefined || object === null) return undefined;
    if (object.type === "") return "";
    return object.isPointer === (this.tokens.words[at - 1] === "->") ? object.type : undefined;
  }

  /** `calls.Price(` and `flows.Orders.push(` */
  #callAt(at: number): Call | undefined {
    const { words } = this.tokens;
    const word = words[at] ?? "";
    const isFlow = word === "flows";
    if ((word !== "calls" && !isFlow) || this.declared.hidden.has(word) || words[at + 1] !== ".")
      return undefined;
    if (/^(?:\.|->|::)$/.test(words[at - 1] ?? "")) return undefined;
    if (isFlow && (words[at + 3] !== "." || words[at + 4] !== "push")) return undefined;
    const types = this.names[word].get(words[at + 2] ?? "");
    const open = at + (isFlow ? 5 : 3);
    return types === undefined || words[open] !== "(" ? undefined : { ...types, open };
  }

  #messageAt(at: number): string | undefined {
    const word = this.tokens.words[at] ?? "";
    const isMessage = this.names.types.get(word)?.kind === "message";
    return isMessage && this.#meaningOf(word, at) === "sure" ? word : undefined;
  }

  /** What the name of a type at `at` means: that of the drawing, perhaps that, or (undefined) another's. */
  #meaningOf(word: string, at: number): "sure" | "doubtful" | undefined {
    const { words } = this.tokens;
    const { project } = this.names;
    const before = words[at - 1];
    if (before === "." || this.#scopes.within === "enum") return undefined;
    // A type behind `->` is what a function returns: `auto f() -> Order {`.
    if (before === "->" && words[at + 1] !== "{") return words[at - 2] === ")" ? "doubtful" : undefined;
    if (before === "::") {
      const space = words[at - 2];
      if (!isName(space)) return undefined;
      const outer = words[at - 3] === "::" ? words[at - 4] : undefined;
      if (isName(outer) || /^[>)\]]$/.test(outer ?? "")) return undefined;
      // One that is newer than the code, perhaps, which had another of that name.
      if (space === project) return !this.names.isGenerated && this.#isHidden(word) ? "doubtful" : "sure";
      return this.declared.spaces.has(space) ? "doubtful" : undefined;
    }
    const { space } = this.#scopes;
    if (space === "project" || this.#scopes.isUsed(word) || (space === "none" && this.#scopes.isUsed("*")))
      return this.#isHidden(word) || this.#scopes.inherits ? "doubtful" : "sure";
    // A class of the project is defined outside of it, perhaps: `shop::Order shop::Ask::handle(const Item&`.
    return space === "none" || this.#scopes.isUsed("*") ? "doubtful" : undefined;
  }

  /** The code has something of its own of that name, or of the one that it has by now. */
  #isHidden(word: string): boolean {
    const { hidden } = this.declared;
    return hidden.has(word) || hidden.has(this.names.types.get(word)?.to ?? word);
  }

  /** Behind `using T = shop::Tier;` and in a template: `T::Gold`. */
  #afterAlias(word: string, at: number): void {
    const before = this.tokens.words[at - 2] ?? "";
    if (this.#told.has(at)) return;
    if (!this.declared.aliases.has(before) && before !== ">" && before !== ")") return;
    this.#doubt(at, this.#values.get(word) ?? this.#fields.get(word));
  }

  /** `using enum shop::Tier;`, `using shop::Order;` and `using namespace shop;` */
  #use(at: number): void {
    const { words } = this.tokens;
    const end = endOfStatement(this.tokens, at);
    const name = words[end - 1] ?? "";
    if (words[at + 1] === "namespace") {
      if (name === this.names.project) this.#scopes.use("*");
    } else if (words[at + 1] === "enum") {
      const type = this.names.types.get(name);
      if (type !== undefined && this.#meaningOf(name, end - 1) !== undefined)
        for (const value of type.members.keys()) this.#bare.set(value, only(nowOf(type, value)!));
    } else if (words[at + 2] !== "=" && this.names.types.has(name)) {
      if (this.#meaningOf(name, end - 1) === "sure") this.#scopes.use(name);
    }
  }

  /** Of a macro it is not known where it stands in the end. */
  #directive(directive: CppTokens["directives"][number]): void {
    directive.forEach(({ word, offset }, at) => {
      const before = directive[at - 1]?.word ?? "";
      const type = this.names.types.get(word);
      const owner = before === "::" ? this.names.types.get(directive[at - 2]?.word ?? "") : undefined;
      if (before === "." || before === "->") this.#leave(word, offset, this.#fields.get(word));
      else if (owner !== undefined) this.#leave(word, offset, only(nowOf(owner, word)));
      else if (type !== undefined) this.#leave(word, offset, only({ thing: type.kind, of: "", to: type.to }));
    });
  }

  #tell(at: number, meaning: "sure" | "doubtful", now: NameNow): void {
    const word = this.tokens.words[at]!;
    const offset = this.tokens.offsets[at]!;
    if (meaning === "doubtful") this.#leave(word, offset, only(now));
    else if (now.to !== word) this.#found.changes.push({ offset, word, to: now.to });
  }

  #doubt(at: number, meant: Meant | undefined): void {
    this.#leave(this.tokens.words[at]!, this.tokens.offsets[at]!, meant);
  }

  #leave(word: string, offset: number, meant: Meant | undefined): void {
    const others = meant?.renamed.filter(({ to }) => to !== word) ?? [];
    if (others.length === 0) return;
    const isLikely = meant!.isOnly && others[0]!.of !== "";
    this.#found.doubtful.push({ word, offset, meant: others, isLikely });
  }
}

/** What stands behind a name of which it matters what it holds. */
const HOLDS = new Set([".", "->", "=", "{"]);

/** Whether the name at `at` is one that a `using` makes known. */
function isUsing(words: readonly string[], at: number): boolean {
  // `using shop::Tier::Gold;`, with `::` in front of it at most.
  return [1, 3, 4].some((back) => words[at - back] === "using");
}

/** What a member of the type is called now. */
function nowOf({ kind, to: of, members }: DrawnType, member: string): NameNow | undefined {
  const to = members.get(member);
  return to === undefined ? undefined : { thing: kind === "enum" ? "value" : "field", of, to };
}

/** What a word may be now. */
interface Meant {
  /** What is called otherwise; the first few. */
  renamed: NameNow[];
  /** It can be nothing else of the drawing. */
  isOnly: boolean;
}

const MOST_MEANT = 3;

const only = (now: NameNow | undefined): Meant => ({ renamed: now === undefined ? [] : [now], isOnly: true });

/** By their names what the members of all types of the kind are called now. */
function membersOf({ types }: RenamedNames, kind: DrawnType["kind"]): ReadonlyMap<string, Meant> {
  const found = new Map<string, Meant>();
  for (const type of types.values())
    if (type.kind === kind)
      for (const [member, to] of type.members) {
        const meant = found.get(member);
        const { renamed } = meant ?? only(undefined);
        if (to !== member && renamed.length < MOST_MEANT) renamed.push(nowOf(type, member)!);
        found.set(member, { renamed, isOnly: meant === undefined });
      }
  return found;
}
