import type { Random } from "../../model/topology/testing/random.js";

/** What is planted in a text besides pieces of itself: of any kind, then of one. */
const ANY = [
  "{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ":", "=", "-", ".", "/*", "*/", "//", "///", "#", '"', "'", "\\", '"\\x', "\n", "\r", "\0",
  "\ufeff", "\u2028", "😀", "\ud800", "__proto__", "constructor", "toString", "prototype", "nested", "fields", "options", "class", "_", "__a__",
]; // prettier-ignore
const SPLINTERS = {
  proto: [
    'syntax = "proto2";', 'edition = "2023";', 'edition = "2024";', "package a.b;", 'import "a.proto";', 'import public "google/protobuf/any.proto";',
    'import "google/protobuf/type.proto";', "option (a).b = {c: 1 d {e: [1, 2]}};", "message A {", "enum E {", "enum E { A = 0; }", "service S {", "message M { M m = 1; }",
    "rpc A(stream A) returns (A);", "extend A { string a = 100; }", "extensions 100 to max;", "reserved 1 to max;", 'reserved "a", "b";', "oneof o { int32 a = 1; }",
    "map<string, int32> m = 1;", "map<double, A> m = 1;", "group G = 1 {", "repeated ", "optional ", "required ", "stream ", ".google.protobuf.Any ", " [packed = true]",
    ' [json_name = "a"]', " [packed = false]", " [default = 1]", " [features.field_presence = IMPLICIT]", " [features.message_encoding = DELIMITED]", "A a = 1;", "A = 0;", "option allow_alias = true;",
    "option features.enum_type = CLOSED;", "local ", "export ",
  ],
  idl: [
    "::", "module M {", "struct S { int a; };", "interface I { void f(); };", "in ", "out ", "inout ", "void ", "int ", "long ", "unsigned ", "typedef int t;",
    "const int C = 1;", "readonly ", " raises (E)", "oneway ", "sequence<int> ", "attribute int a;", "union U switch (int) {};", "exception E {};", "[1]", "[65537]",
    "[99999999999999999999]", "#include <a>", " : I ", "enum E { A };",
  ],
}; // prettier-ignore
export type Language = keyof typeof SPLINTERS;

const WORDS = {
  proto: ["int32", "sint64", "fixed32", "bytes", "double", "string", "repeated", "optional", "message", "enum", "service", "rpc", "returns", "oneof", "reserved", "max", "option", "Any"],
  idl: ["int", "long", "octet", "char", "double", "boolean", "void", "in", "out", "inout", "struct", "interface", "module", "string", "any"],
}; // prettier-ignore
const NUMBERS = [
  "0", "1", "2", "-1", "00", "017", "0x", "0x7f", "1e3", "1e999", "1.5", "inf", "nan", "19000", "65536", "65537", "536870911", "536870912", "2147483647", "2147483648",
  "-2147483648", "-2147483649", "99999999999999999999",
]; // prettier-ignore

/** No input is longer, however often its pieces are doubled. */
const LONGEST = 200_000;

const TOKEN = /\/\/.*|\/\*[^]*?\*\/|[A-Za-z_][A-Za-z0-9_.]*|\d+|"[^"\n]*"|\s+|\S/y;

interface Piece {
  begin: number;
  end: number;
}

/** The token around a place, comments and space among them. */
function tokenAt(text: string, at: number): Piece {
  // Begins at the line, which may be in a comment: then words of it are taken for tokens.
  TOKEN.lastIndex = text.lastIndexOf("\n", Math.max(0, at - 1)) + 1;
  for (;;) {
    const token = TOKEN.exec(text);
    if (token === null) return { begin: text.length, end: text.length };
    const end = token.index + token[0].length;
    if (end > at) return { begin: token.index, end };
  }
}

/** The block that begins at the next brace behind `at`, from the start of its line. */
function blockAt(text: string, at: number): Piece {
  const brace = text.indexOf("{", at);
  let depth = 0;
  for (let end = brace; end !== -1 && end < text.length; end++) {
    if (text[end] === "{") depth += 1;
    if (text[end] === "}") depth -= 1;
    if (depth === 0) return { begin: text.lastIndexOf("\n", brace) + 1, end: end + 1 };
  }
  return lineAt(text, at);
}

function lineAt(text: string, at: number): Piece {
  const end = text.indexOf("\n", at);
  return { begin: text.lastIndexOf("\n", at - 1) + 1, end: end === -1 ? text.length : end + 1 };
}

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*|$)/.test(line);

/** A place in the text, seldom one in a comment. */
function placeIn(random: Random, text: string): number {
  for (let tries = 0; ; tries++) {
    const at = random.below(text.length + 1);
    const { begin, end } = lineAt(text, at);
    if (tries === 4 || !isComment(text.slice(begin, end))) return at;
  }
}

const cut = (text: string, { begin, end }: Piece): string => text.slice(begin, end);

/** One change after which much of the text may still be read: a token, a line or a block for another. */
function mild(random: Random, language: Language, text: string, others: readonly string[]): string {
  const source = random.chance(0.7) ? text : random.pick(others);
  const [at, from] = [placeIn(random, text), placeIn(random, source)];
  const put = (piece: Piece, instead: string): string =>
    text.slice(0, piece.begin) + instead + text.slice(piece.end);
  switch (random.below(6)) {
    case 0: {
      const line = lineAt(text, at);
      return put(line, random.pick(["", cut(text, line).repeat(2)]));
    }
    case 1:
      return put(
        { begin: lineAt(text, at).end, end: lineAt(text, at).end },
        cut(source, lineAt(source, from)),
      );
    case 2: {
      const block = blockAt(text, at);
      return put(block, random.pick(["", cut(text, block).repeat(2), cut(source, blockAt(source, from))]));
    }
    default: {
      const token = tokenAt(text, at);
      const word = cut(text, token);
      if (/^\d/.test(word)) return put(token, random.pick(NUMBERS));
      if (/^[A-Za-z_]/.test(word)) {
        const other = cut(source, tokenAt(source, from));
        return put(token, /^[A-Za-z_]/.test(other) ? other : random.pick(WORDS[language]));
      }
      const end = lineAt(text, at).end;
      return put({ begin: end, end }, `${random.pick(SPLINTERS[language])}\n`);
    }
  }
}

/** One change that respects nothing. */
function wild(random: Random, language: Language, text: string, others: readonly string[]): string {
  const begin = placeIn(random, text);
  const end = Math.min(text.length, begin + random.below(random.pick([1, 8, 80])));
  const piece = text.slice(begin, end);
  const splinter = (): string => random.pick(random.chance(0.5) ? ANY : SPLINTERS[language]);
  const other = random.pick(others);
  const from = placeIn(random, other);
  const instead = random.pick([
    "",
    splinter(),
    piece + splinter() + splinter(),
    other.slice(from, from + random.below(300)),
    piece.repeat(1 + random.below(50)),
    (piece + splinter()).repeat(random.chance(0.2) ? 3000 : 2),
  ]);
  return text.slice(0, begin) + instead + text.slice(end);
}

/** The text with some pieces cut, doubled, planted, or taken from other places of it and of `others`. */
export function spoil(random: Random, language: Language, text: string, others: readonly string[]): string {
  const change = random.chance(0.6) ? mild : wild;
  let made = text;
  for (let left = random.pick([1, 1, 2, 5]); left > 0; left--)
    made = change(random, language, made, others).slice(0, LONGEST);
  return made;
}
