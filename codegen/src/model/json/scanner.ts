import type { ProblemCode } from "../diagnostics/index.js";

/** Thrown by the scanner and the reader at the first place from which reading cannot go on. */
export class JsonSyntaxError extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** Something wrong inside a token that does not stop the reading. */
export type Complain = (code: ProblemCode, message: string, offset: number) => void;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const HASH = 0x23;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[\p{L}\p{N}_$]+/uy;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Tokens of RFC 8259 JSON over one text, each method reading from `at` and leaving it behind the token. */
export class JsonScanner {
  at = 0;

  constructor(
    readonly text: string,
    private readonly complain: Complain,
  ) {}

  /** Next character that is no white space, without taking it; NaN at the end. Comments are an error. */
  peek(): number {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) {
        if (unit === SLASH || unit === HASH) {
          const next = this.text.charCodeAt(this.at + 1);
          if (unit === HASH || next === SLASH || next === 0x2a)
            throw new JsonSyntaxError("PS103", "A comment: topology.json is plain JSON", this.at);
        }
        return unit;
      }
      this.at += 1;
    }
  }

  /** Takes `true`, `false`, `null` or a number. */
  literal(): boolean | number | null {
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(this.text)?.[0];
    if (number !== undefined) {
      const next = this.text.charAt(this.at + number.length);
      if (/[0-9A-Za-z_.+]/.test(next))
        throw new JsonSyntaxError("PS101", "A number as JSON does not write it", this.at);
      const value = Number(number);
      if (!Number.isFinite(value)) throw new JsonSyntaxError("PS101", "A number too large to hold", this.at);
      this.at += number.length;
      return value;
    }
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0];
    if (word === "true" || word === "false" || word === "null") {
      this.at += word.length;
      return word === "null" ? null : word === "true";
    }
    return this.unexpected(undefined);
  }

  /** Takes a string that starts at `at` (on its quote). */
  string(): string {
    const start = this.at;
    let from = start + 1;
    let value = "";
    for (let at = from; ; at++) {
      const unit = this.text.charCodeAt(at);
      if (unit === QUOTE) {
        value += this.text.slice(from, at);
        this.at = at + 1;
        if (/\p{Surrogate}/u.test(value))
          this.complain("PS105", "A text with half a character (a lone surrogate)", start);
        if (value.includes("\0")) this.complain("PS106", "A text with a NUL character", start);
        return value;
      }
      if (unit === BACKSLASH) {
        value += this.text.slice(from, at);
        const escape = this.text.charAt(at + 1);
        if (escape === "u") {
          const digits = this.text.slice(at + 2, at + 6);
          if (!/^[0-9a-fA-F]{4}$/.test(digits))
            throw new JsonSyntaxError("PS101", "\\u without four hexadecimal digits", at);
          value += String.fromCharCode(parseInt(digits, 16));
          at += 5;
        } else {
          const character = Object.hasOwn(ESCAPES, escape) ? ESCAPES[escape] : undefined;
          if (character === undefined)
            throw new JsonSyntaxError("PS101", "A backslash that JSON does not know", at);
          value += character;
          at += 1;
        }
        from = at + 1;
      } else if (Number.isNaN(unit)) throw new JsonSyntaxError("PS101", "A text that is never closed", start);
      else if (unit < 0x20) {
        if (unit === 0) throw new JsonSyntaxError("PS106", "A NUL character", at);
        throw new JsonSyntaxError(
          "PS101",
          "A line break or control character inside a text (write it as an escape such as \\n)",
          at,
        );
      }
    }
  }

  /** Ends the reading at `at` with what was found there and, if known, what should have been. */
  unexpected(expected: string | undefined): never {
    const point = this.text.codePointAt(this.at);
    const found = point === undefined ? undefined : String.fromCodePoint(point);
    if (found === "\0") throw new JsonSyntaxError("PS106", "A NUL character", this.at);
    const what =
      found === undefined
        ? "The text ends too early"
        : `Unexpected ${found < " " ? "control character" : `'${found}'`}`;
    throw new JsonSyntaxError(
      "PS101",
      expected === undefined ? what : `${what}, expected ${expected}`,
      this.at,
    );
  }
}
