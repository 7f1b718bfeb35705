import { braceAt, type Within } from "./cppBraces.js";
import { isName, type CppTokens } from "./cppTokens.js";
import { endsType, isDeclared } from "./declaredInCode.js";
import type { CallTypes } from "./renamedNames.js";

/** What a variable holds: a message of the drawing by the name that the code has for it, or nothing of the drawing (""). */
export interface Held {
  type: string;
  isPointer: boolean;
}
const NOT_DRAWN: Held = { type: "", isPointer: false };

/** `calls.Price(` or `flows.Orders.push(`, with the messages that it takes and answers. */
export interface Call extends CallTypes {
  /** The token that is its bracket. */
  open: number;
}

/** By the name of a variable what it holds; null: that is not known. */
type Variables = Map<string, Held | null>;

/** In the project's namespace, in none that has a name, or in another. */
type Space = "project" | "none" | "other";

/** What is known between two brackets. */
interface Scope {
  within: Within;
  space: Space;
  variables: Variables;
  /** Of a function or a statement whose body is yet to come; those that this is the body of. */
  parameters: Variables;
  given: Variables | undefined;
  /** The message that its function returns. */
  returns: string | undefined;
  /** The message that a list initialises. */
  type: string | undefined;
  isLambda: boolean;
  /** `auto [a, b]` */
  isBinding: boolean;
  /** What a `using` made known here. */
  used: string[];
}

/** How many brackets further out a variable is looked for: what is generated or hostile may have any number. */
const DEEPEST = 64;
/** What stands behind a body and is part of the same statement. */
const GOES_ON = new Set(["else", "catch", "while"]);
const SPECIFIERS = new Set([
  "static",
  "inline",
  "constexpr",
  "const",
  "virtual",
  "friend",
  "extern",
  ">",
  "]",
]);

/** What is known at a place of a C++ text, as its tokens are gone through from first to last. */
export class CppScopes {
  readonly #open: Scope[] = [scopeOf("space", "none")];
  /** How many of the open ones made a name known. */
  readonly #used = new Map<string, number>();

  /**
   * @param project its namespace
   * @param messageAt the message that the name at a token is for sure, with what is known now
   * @param callAt what is asked at a token that is `calls` or `flows`
   * @param isOwn whether a type of that name is the user's, and holds nothing of the drawing
   */
  constructor(
    private readonly tokens: CppTokens,
    private readonly project: string,
    private readonly messageAt: (at: number) => string | undefined,
    private readonly callAt: (at: number) => Call | undefined,
    private readonly isOwn: (type: string) => boolean,
  ) {}

  get #here(): Scope {
    return this.#open.at(-1)!;
  }

  get space(): Space {
    return this.#here.space;
  }

  get within(): Within {
    return this.#here.within;
  }

  /** The message that is initialised here, where that is known. */
  get type(): string | undefined {
    return this.#here.type;
  }

  /** At an opening bracket; `before`: what the token before it holds, or the one before a `=`. */
  enter(at: number, before: Held | null | undefined): void {
    const { words } = this.tokens;
    const { space, within, returns } = this.#here;
    const scope = scopeOf(words[at] === "(" ? "round" : "square", space);
    if (words[at] === "{") {
      const brace = braceAt(this.tokens, at, within);
      scope.within = brace.within;
      scope.isLambda = brace.isLambda === true;
      if (space === "none" && brace.space !== undefined && brace.space !== "")
        scope.space = brace.space.split("::", 1)[0] === this.project ? "project" : "other";
      if (brace.within === "code") {
        scope.given = this.#here.parameters;
        scope.returns =
          brace.returns === "outer" ? returns : brace.returns && this.#returned(...brace.returns);
      }
      if (brace.within === "list") scope.type = this.#listed(at, before);
    } else if (words[at] === "[") {
      const reference = words[at - 1] === "&" || words[at - 1] === "&&";
      scope.isBinding = words[at - (reference ? 2 : 1)] === "auto";
    }
    this.#open.push(scope);
  }

  /** At a closing one. The message that was initialised there, where that is known. */
  leave(at: number): string | undefined {
    if (this.#open.length === 1) return undefined;
    const scope = this.#open.pop()!;
    for (const name of scope.used) this.#used.set(name, this.#used.get(name)! - 1);
    const outer = this.#here;
    if (scope.within === "round" || scope.within === "square") {
      const to = scope.isBinding ? outer.variables : outer.parameters;
      for (const [name, held] of scope.variables) to.set(name, held);
    } else if (scope.within === "code") {
      const isEnd = !scope.isLambda || outer.within === "class" || outer.within === "space";
      if (isEnd && !GOES_ON.has(this.tokens.words[at + 1] ?? "")) outer.parameters.clear();
    }
    return scope.type;
  }

  /** At a semicolon. */
  endStatement(): void {
    this.#here.parameters.clear();
  }

  use(name: string): void {
    this.#here.used.push(name);
    this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
  }

  /** Whether a `using` that holds here made it known. */
  isUsed(name: string): boolean {
    return (this.#used.get(name) ?? 0) > 0;
  }

  /** What the name at `at` holds, which it declares or which was declared before; null: that is not known. */
  variable(at: number): Held | null {
    const name = this.tokens.words[at]!;
    const declared = this.#declared(at);
    if (declared !== undefined) {
      this.#here.variables.set(name, declared);
      return declared;
    }
    for (let depth = 1; depth <= DEEPEST && depth <= this.#open.length; depth++) {
      const { within, variables, parameters, given } = this.#open.at(-depth)!;
      const held = parameters.get(name);
      if (held !== undefined) return held;
      // What is declared in a class or namespace, a class that is seen from here may have otherwise.
      if (within === "class" || within === "space") return null;
      const own = variables.get(name);
      const found = own === undefined ? given?.get(name) : own;
      if (found !== undefined) return found;
    }
    return null;
  }

  /** What the name at `at` holds from here on, where it declares something. */
  #declared(at: number): Held | null | undefined {
    const { words } = this.tokens;
    const [before, behind] = [words[at - 1], words[at + 1]];
    if (isDeclared(this.tokens, at)) return this.#declaredAs(at);
    const { within, isBinding } = this.#here;
    if (within === "square") return isBinding || behind === "=" ? null : undefined;
    // `Order a, b;`
    const isNext = before === "," && /^[,;={]$/.test(behind ?? "");
    return isNext && (within === "code" || within === "class" || within === "space" || behind === "=")
      ? null
      : undefined;
  }

  #declaredAs(at: number): Held | null {
    const { words } = this.tokens;
    let type = at - 1;
    let stars = 0;
    for (; !endsType(words[type]); type--) if (words[type] === "*") stars++;
    const isPointer = stars === 1;
    if (words[type] === "auto" && words[at + 1] === "=" && !isPointer) {
      const message = this.#madeAt(at + 2);
      return message === undefined ? null : { type: message, isPointer };
    }
    const name = words[type]!;
    if (!isName(name)) return name === ">" || name === "auto" ? null : NOT_DRAWN;
    const message = this.messageAt(type);
    if (message !== undefined) return { type: message, isPointer };
    const space = words[type - 1] === "::" ? words[type - 2] : undefined;
    return space === "std" || space === "penstock" || (space === undefined && this.isOwn(name))
      ? NOT_DRAWN
      : null;
  }

  /** What `auto` is before `= Order{...};` and `= co_await calls.Price(...);` */
  #madeAt(from: number): string | undefined {
    const { words, partners } = this.tokens;
    let made = words[from] === "co_await" ? from + 1 : from;
    const call = this.callAt(made);
    if (call !== undefined) return words[partners[call.open]! + 1] === ";" ? call.answers : undefined;
    while (words[made] === "::" || (isName(words[made]) && words[made + 1] === "::")) made++;
    const isMade =
      /^[{(]$/.test(words[made + 1] ?? "") && words[partners[made + 1]! + 1] === ";" && made >= from;
    return isMade ? this.messageAt(made) : undefined;
  }

  /** The message that a function returns, itself or by a `Task`. */
  #returned(first: number, last: number): string | undefined {
    const { words } = this.tokens;
    const isTask = words[last] === ">";
    let from = isTask ? last - 1 : last;
    const message = this.messageAt(from);
    if (message === undefined) return undefined;
    while (words[from - 1] === "::" && isName(words[from - 2])) from -= 2;
    if (words[from - 1] === "::") from--;
    const isAll = isTask
      ? words[from - 1] === "<" && words[from - 2] === "Task"
      : from <= first || SPECIFIERS.has(words[from - 1]!);
    return isAll ? message : undefined;
  }

  /** The message that the list at `at` initialises. */
  #listed(at: number, before: Held | null | undefined): string | undefined {
    const word = this.tokens.words[at - 1]!;
    if (word === "return" || word === "co_return") return this.#here.returns;
    if (word === "(")
      for (const back of [4, 6]) {
        const call = this.callAt(at - back);
        if (call?.open === at - 1) return call.takes;
      }
    const message = isName(word) ? this.messageAt(at - 1) : undefined;
    if (message !== undefined) return message;
    return before === undefined || before === null || before.isPointer || before.type === ""
      ? undefined
      : before.type;
  }
}

const scopeOf = (within: Within, space: Space): Scope => ({
  within,
  space,
  variables: new Map(),
  parameters: new Map(),
  given: undefined,
  returns: undefined,
  type: undefined,
  isLambda: false,
  isBinding: false,
  used: [],
});
