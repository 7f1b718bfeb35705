import { isName, type CppTokens } from "./cppTokens.js";

/** What stands between two brackets. */
interface Within {
  /** The namespaces around it, as in `shop::detail`; "" outside of all and in unnamed ones alone. */
  space: string;
  isEnum: boolean;
  /** What a `using` made known here. */
  used: string[];
}

/** In which namespace a place of a C++ text is, as its tokens are gone through from first to last. */
export class CppSpaces {
  readonly #open: Within[] = [{ space: "", isEnum: false, used: [] }];
  /** How many of the open ones made a name known. */
  readonly #used = new Map<string, number>();

  constructor(private readonly tokens: CppTokens) {}

  get space(): string {
    return this.#here.space;
  }

  /** Among the enumerators of an enum that the code defines. */
  get isEnum(): boolean {
    return this.#here.isEnum;
  }

  get #here(): Within {
    return this.#open.at(-1)!;
  }

  /** At an opening bracket. */
  enter(at: number): void {
    const { space } = this.#here;
    const inner = this.tokens.words[at] === "{" ? this.#spaceOf(at) : undefined;
    const isEnum = this.tokens.words[at] === "{" && inner === undefined && this.#isEnum(at);
    this.#open.push({
      space: inner === undefined || inner === "" ? space : [space, inner].filter(Boolean).join("::"),
      isEnum,
      used: [],
    });
  }

  /** At a closing one. */
  leave(): void {
    if (this.#open.length === 1) return;
    for (const name of this.#open.pop()!.used) this.#used.set(name, this.#used.get(name)! - 1);
  }

  use(name: string): void {
    this.#here.used.push(name);
    this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
  }

  /** Whether a `using` that holds here made it known. */
  isUsed(name: string): boolean {
    return (this.#used.get(name) ?? 0) > 0;
  }

  /** The namespace that a brace opens, "" for an unnamed one; undefined: it opens none. */
  #spaceOf(at: number): string | undefined {
    const { words } = this.tokens;
    let from = at;
    while (isName(words[from - 1]) || words[from - 1] === "::" || words[from - 1] === "inline") from--;
    if (words[from - 1] !== "namespace") return undefined;
    return words
      .slice(from, at)
      .filter((word) => word !== "inline")
      .join("");
  }

  /** `enum class Kind : int {` */
  #isEnum(at: number): boolean {
    const { words } = this.tokens;
    for (let from = at - 1; from >= 0 && !/^[;{}()=]$/.test(words[from]!); from--)
      if (words[from] === "enum") return true;
    return false;
  }
}
