import { braceAt, STATEMENT, type Within } from "./cppBraces.js";
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
/** What a bracket declares for what stands behind it. */
interface Parameters {
  /** The token that opens it. */
  open: number;
  variables: Variables | undefined;
}
const NONE: readonly Parameters[] = [];

/** In the project's namespace, in none that has a name, or in another. */
type Space = "project" | "none" | "other";

/** What is known between two brackets. */
interface Scope extends Parameters {
  within: Within;
  space: Space;
  /** In a class that has what others have. */
  inherits: boolean;
  /** Of functions and statements whose bodies are yet to come; of those that this is the body of. */
  parameters: readonly Parameters[];
  given: readonly Parameters[];
  /** The message that its function returns. */
  returns: string | undefined;
  /** The message that a list initialises. */
  type: string | undefined;
  /** Of a function in an expression: the token that begins it. */
  lambda: number | undefined;
  /** `auto [a, b]` */
  isBinding: boolean;
  /** What a `using` made known here. */
  used: string[] | undefined;
}

/** How many brackets further out a variable is looked for: what is generated or hostile may have any number. */
const DEEPEST = 64;
/** How many brackets one behind the other declare for the same body: `for (...) if (...) {`. */
const MOST_PARAMETERS = 16;
/** What stands behind the parameters of a function that has a body. */
const BEFORE_BODY = new Set(
  "{ const volatile noexcept override final mutable -> : try & && requires throw".split(" "),
);
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
  readonly #open: Scope[] = [scopeOf("space", "none", -1)];
  /** How many of the open ones made a name known. */
  readonly #used = new Map<string, number>();

  /**
   * @param project its namespace
   * @param messageAt the message that the name at a token is for sure, with what is known now
   * @param callAt what is asked at a token that is `calls` or `flows`
   * @param isOwn whether a type of that name is the user's, and holds nothing of the drawing
   * @param isDerived whether a class of that name has another one's names as well
   */
  constructor(
    private readonly tokens: CppTokens,
    private readonly project: string,
    private readonly messageAt: (at: number) => string | undefined,
    private readonly callAt: (at: number) => Call | undefined,
    private readonly isOwn: (type: string) => boolean,
    private readonly isDerived: (type: string) => boolean,
  ) {}

  get #here(): Scope {
    return this.#open.at(-1)!;
  }

  get space(): Space {
    return this.#here.space;
  }

  get inherits(): boolean {
    return this.#here.inherits;
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
    const { space, within, returns, inherits } = this.#here;
    const scope = { ...scopeOf(words[at] === "(" ? "round" : "square", space, at), inherits };
    if (words[at] === "(") scope.inherits ||= this.#isOfDerived(at);
    if (words[at] === "{") {
      const brace = braceAt(this.tokens, at, within);
      scope.within = brace.within;
      scope.lambda = brace.lambda;
      scope.inherits ||=
        brace.inherits === true || (brace.parameters !== undefined && this.#isOfDerived(brace.parameters));
      if (space === "none" && brace.space !== undefined && brace.space !== "")
        scope.space = brace.space.split("::", 1)[0] === this.project ? "project" : "other";
      if (brace.within === "code") {
        scope.given = this.#here.parameters;
        scope.returns =
          brace.returns === "outer" ? returns : brace.returns && this.#returned(...brace.returns);
      }
      if (brace.within === "list") scope.type = this.#listed(at, before);
    } else if (words[at] === "[") {
      let type = at - 1;
      while (/^(?:const|&|&&)$/.test(words[type] ?? "")) type--;
      scope.isBinding = words[type] === "auto";
    }
    this.#open.push(scope);
  }

  /** At a closing one. The message that was initialised there, where that is known. */
  leave(at: number): string | undefined {
    if (this.#open.length === 1) return undefined;
    const scope = this.#open.pop()!;
    for (const name of scope.used ?? []) this.#used.set(name, this.#used.get(name)! - 1);
    const outer = this.#here;
    const { words, partners } = this.tokens;
    const behind = words[at + 1] ?? "";
    if (scope.isBinding) for (const [name, held] of scope.variables ?? []) put(outer, name, held);
    else if (scope.within === "round" || scope.within === "square") {
      const open = partners[at]!;
      const hasBody =
        scope.within === "square" || BEFORE_BODY.has(behind) || STATEMENT.has(words[open - 1] ?? "");
      if (scope.variables !== undefined && hasBody)
        outer.parameters = [...outer.parameters.slice(1 - MOST_PARAMETERS), scope];
    } else if (scope.lambda !== undefined)
      outer.parameters = outer.parameters.filter(({ open }) => open < scope.lambda!);
    else if (scope.within === "code" && !this.#goesOn(partners[at]!, behind)) outer.parameters = NONE;
    return scope.type;
  }

  /** At a semicolon. */
  endStatement(): void {
    this.#here.parameters = NONE;
  }

  /** Whether `behind` a body is part of the statement that it began. */
  #goesOn(open: number, behind: string): boolean {
    return (
      behind === "else" || behind === "catch" || (behind === "while" && this.tokens.words[open - 1] === "do")
    );
  }

  use(name: string): void {
    (this.#here.used ??= []).push(name);
    this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
  }

  /** Whether a `using` that holds here made it known. */
  isUsed(name: string): boolean {
    return (this.#used.get(name) ?? 0) > 0;
  }

  /** Whether the parameters that begin at `at` are those of a member of a class that inherits: `Own::f(`, `Own::~Own(`. */
  #isOfDerived(at: number): boolean {
    const { words } = this.tokens;
    let name = at - 1;
    if (words[name - 1] === "~") name--;
    for (; words[name - 1] === "::"; name -= 2) {
      const of = words[name - 2];
      // A template's, of which that is not known.
      if (!isName(of) || this.isDerived(of)) return true;
    }
    return false;
  }

  /** What the name at `at` holds, which it declares or which was declared before; null: that is not known. */
  variable(at: number): Held | null {
    const name = this.tokens.words[at]!;
    const { within: here } = this.#here;
    // A member that is initialised, and not the parameter of its name: `Own(Order order) : order{`.
    if ((here === "class" || here === "space") && /^[:,]$/.test(this.tokens.words[at - 1] ?? "")) return null;
    const declared = this.#declared(at);
    if (declared !== undefined) return put(this.#here, name, declared);
    for (let depth = 1; depth <= DEEPEST && depth <= this.#open.length; depth++) {
      const { within, variables, parameters, given } = this.#open.at(-depth)!;
      const held = parameterOf(parameters, name);
      if (held !== undefined) return held;
      // What is declared in a class or namespace, a class that is seen from here may have otherwise.
      if (within === "class" || within === "space") return null;
      const own = variables?.get(name);
      const found = own === undefined ? parameterOf(given, name) : own;
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
    // `decltype(b) a = b;`
    if (before === ")" && words[this.tokens.partners[at - 1]! - 1] === "decltype") return null;
    // `Order a, *b;`
    let comma = at - 1;
    while (/^(?:\*|&|&&)$/.test(words[comma] ?? "")) comma--;
    const isNext = words[comma] === "," && /^[,;={]$/.test(behind ?? "");
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

/** What the name holds by the last of the brackets that declares it. */
const parameterOf = (parameters: readonly Parameters[], name: string): Held | null | undefined =>
  parameters.findLast(({ variables }) => variables?.has(name))?.variables?.get(name);

/** What is declared twice, in two branches of an `#if`, holds either. */
function put(scope: Parameters, name: string, held: Held | null): Held | null {
  const variables = (scope.variables ??= new Map());
  const before = variables.get(name);
  const isSame =
    before === undefined || (before?.type === held?.type && before?.isPointer === held?.isPointer);
  const now = isSame ? held : null;
  variables.set(name, now);
  return now;
}

const scopeOf = (within: Within, space: Space, open: number): Scope => ({
  within,
  space,
  inherits: false,
  open,
  variables: undefined,
  parameters: NONE,
  given: NONE,
  returns: undefined,
  type: undefined,
  lambda: undefined,
  isBinding: false,
  used: undefined,
});
