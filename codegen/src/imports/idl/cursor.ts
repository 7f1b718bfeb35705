import { IdlError, found } from "./error.js";
import type { Comment, Token } from "./tokens.js";

/** Walks over the words of a file, the last of which is its end. */
export class Cursor {
  private at = 0;
  private last: Token | undefined;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The next word, which stays there. */
  get next(): Token {
    return this.tokens[this.at]!;
  }

  /** The next word; at the end that, again and again. */
  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.at += 1;
    this.last = token;
    return token;
  }

  isMark(text: string): boolean {
    return this.next.kind === "mark" && this.next.text === text;
  }

  /** Takes this mark if it is the next word. */
  takeIf(text: string): boolean {
    if (!this.isMark(text)) return false;
    this.take();
    return true;
  }

  /** @throws {IdlError} */
  expect(text: string, expected = `"${text}"`): Token {
    if (!this.isMark(text)) this.fail(expected);
    return this.take();
  }

  /** @throws {IdlError} */
  name(expected: string): Token {
    if (this.next.kind !== "name") this.fail(expected);
    return this.take();
  }

  /** Ends the reading at the next word. */
  fail(expected: string): never {
    throw new IdlError(this.next, expected, found(this.next.text));
  }

  /** The comment right above the next word: nothing but its lines between. */
  above(): string | undefined {
    const own = this.next.comments.filter(({ trails }) => !trails);
    let line = this.next.line;
    const touching: Comment[] = [];
    for (const comment of own.reverse()) {
      if (comment.lastLine < line - 1) break;
      touching.unshift(comment);
      line = comment.line;
    }
    return textOf(touching);
  }

  /** The comment behind the last word, in its line. */
  behind(): string | undefined {
    const last = this.last?.line;
    return textOf(this.next.comments.filter(({ trails, line }) => trails && line === last));
  }
}

function textOf(comments: readonly Comment[]): string | undefined {
  const text = comments.map((comment) => comment.text).join("\n");
  return text.trim() === "" ? undefined : text;
}

/** What is said above and behind. */
export const docOf = (...parts: readonly (string | undefined)[]): { doc?: string } => {
  const doc = [...new Set(parts)].filter((part) => part !== undefined).join("\n");
  return doc === "" ? {} : { doc };
};
