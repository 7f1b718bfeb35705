import { expect, test } from "vitest";
import { DEEPEST, LONGEST, parseIdl } from "./parseIdl.js";
import { sayingsOf } from "./testing/checkInvented.js";

const said = (text: string): string[] => sayingsOf(parseIdl(text));
const refused = (text: string): string => {
  try {
    parseIdl(text);
  } catch (error) {
    const { line, column, message } = error as Error & { line: number; column: number };
    return `${line}:${column} ${message}`;
  }
  return "read";
};

test("reads modules in modules, opened again, with or without a semicolon behind", () => {
  expect(
    said(`module M { struct E { long L; }; module N { interface I { E f(); }; } };
          module M { struct F { E e; }; };`),
  ).toEqual(["struct M::E{long L}", "interface M::N::I{M::E f()}", "struct M::F{M::E e}"]);
});

test("a name is looked for from the inside out, and may be scoped", () => {
  expect(
    said(`struct E { int a; };
          module M { module N { struct E { int b; }; }; struct F { E outer; N::E inner; }; };
          interface I { M::N::E f(in E e); };`),
  ).toEqual([
    "struct E{int a}",
    "struct M::N::E{int b}",
    "struct M::F{E outer; M::N::E inner}",
    "interface I{M::N::E f(in E e)}",
  ]);
});

test("keywords are names where a name belongs, and may be in capitals", () => {
  expect(
    said("MODULE in { Struct out { int struct; }; }; interface A { void void(IN int module); };"),
  ).toEqual(["struct in::out{int struct}", "interface A{void void(in int module)}"]);
});

test("comments are docs of what they stand above or behind, and of nothing else", () => {
  const { definitions } = parseIdl(`// Copyright: of nobody.

/**
 * A point,
 *   of two.
 */
struct Point { // Behind.
  int x; // To the right.
  // Down,
  // not up.
  int y;

  // Of nothing.
};
interface Calc {
  /* Adds. */ int add(in int a, // First.
                      in int b /* Second. */); // Without overflow.
  int sub();
};`);
  expect(definitions).toMatchObject([
    {
      doc: "A point,\n  of two.\nBehind.",
      members: [{ doc: "To the right." }, { doc: "Down,\nnot up." }],
    },
    {
      operations: [
        { doc: "Adds.\nWithout overflow.", parameters: [{ doc: "First." }, { doc: "Second." }] },
        { name: "sub" },
      ],
    },
  ]);
  expect(JSON.stringify(definitions)).not.toMatch(/nobody|nothing/);
});

test.each([
  ["struct A { long 1; };", '1:17 expected a name, found "1"'],
  ["\n  structure A {};", '2:3 expected a "module", a "struct" or an "interface", found "structure"'],
  ["struct A { int x };", '1:18 expected ";", found "}"'],
  ["struct A { int x; }", '1:20 expected ";", found the end of the file'],
  ["struct A { int x[0]; };", '1:18 expected a number of elements, from 1 to 2147483647, found "0"'],
  ["struct A { int x[0x10]; };", '1:18 expected a number of elements, from 1 to 2147483647, found "0x10"'],
  ["struct A { int x[2][2]; };", '1:20 expected ";", found "["'],
  ["struct A { int x; int x; };", '1:23 expected a name that is free here, found "x"'],
  ["struct int { int x; };", '1:8 expected the name of a struct, found "int"'],
  ["struct A { A a; };", /^1:12 expected .* a struct defined above, found "A"$/],
  ["interface A { void f(in A a); };", /^1:25 .* found "A", the interface of line 1$/],
  ["struct A {};\nstruct A {};", '2:8 expected a name that is free, found "A", the struct of line 1'],
  ["interface A { int[4] f(); };", '1:18 expected the name of an operation, found "["'],
  ["interface A { void f(int a); };", '1:22 expected "in", "out" or "inout", found "int"'],
  ["interface A { void f(in void a); };", /^1:25 .* found "void"$/],
  ["interface A { void f(in int a,); };", '1:31 expected "in", "out" or "inout", found ")"'],
  ["interface A { void f(in int a in int b); };", '1:31 expected "," or ")", found "in"'],
  [
    "interface A { int f(in int a);\nvoid f(out int b); };",
    '2:6 expected an operation with other parameters, found "f(int)", which is there at line 1',
  ],
  ["module M {\n", /^2:1 expected .* or "}", found the end of the file$/],
  ["module M { } }", /^1:14 expected .* or the end of the file, found "}"$/],
  ["/* for ever", "1:1 expected a comment that is closed, found none"],
  ['/* größe 😀 */ "a😀" @', /^1:15 expected a "module"/],
  ["struct A { 😀", /^1:12 expected .* found "😀"$/],
  ['const string a = "b', "1:18 expected a text that is closed, found none"],
  ["enum E { A", '1:11 expected "}", found the end of the file'],
])("refuses %j and says where and why", (text, why) => {
  if (typeof why === "string") expect(refused(text)).toBe(why);
  else expect(refused(text)).toMatch(why);
});

test("a constant that is left out ends where it ends, whatever signs it has", () => {
  const { definitions, leftOut } = parseIdl(`const long A = 1 << 3;
struct S { long a; };
const long B = 8 >> 2;
union U switch (long) { case 1 << 2: sequence<sequence<long>> a; };
const char OPEN = '{';
const char QUOTE = '"';
const wchar SINGLE = L'\\'';
struct T { long b; };`);
  expect(leftOut.map(({ name }) => name)).toEqual(["A", "B", "U", "OPEN", "QUOTE", "SINGLE"]);
  expect(definitions).toMatchObject([{ path: ["S"] }, { path: ["T"] }]);
});

test("is bounded in depth and size", () => {
  const nested = (depth: number): string => `${"module m {".repeat(depth)}${"}".repeat(depth)}`;
  expect(said(nested(DEEPEST))).toEqual([]);
  expect(refused(nested(DEEPEST + 1))).toMatch(/expected at most 64 modules in one another, found one more$/);
  expect(refused(nested(90_000))).toMatch(/at most 64 modules/);
  expect(said(" ".repeat(LONGEST))).toEqual([]);
  expect(refused(" ".repeat(LONGEST + 1))).toBe(
    `1:1 expected a file of at most ${LONGEST} characters, found ${LONGEST + 1}`,
  );
  const brackets = `typedef sequence${"<".repeat(50_000)}long${">".repeat(50_000)} L;`;
  expect(parseIdl(brackets).leftOut).toMatchObject([{ name: "L" }]);
});

test("what other IDLs have is left out and named, and what uses it with it", () => {
  const { definitions, leftOut } = parseIdl(`#include "other.idl"
module M {
  enum Color { RED, GREEN };
  typedef sequence<long, 4> Longs;
  const long MOST = 3;
  union U switch (long) { case 1: long a; };
  exception Full { long room; };
  struct S {
    Color color;
    unsigned long long u;
    string<8> name;
    long double d;
    int kept;
  };
};
interface I : M::J {
  readonly attribute long size;
  oneway void f(in int x);
  int g() raises (M::Full, Other);
  M::Longs h();
  int kept(in int a);
};`);
  expect(leftOut.map(({ line, name, reason }) => `${line} ${name}: ${reason}`)).toEqual([
    "1 #include: lines for a preprocessor are not read",
    '3 M::Color: FORB\'s IDL has no "enum"',
    '4 M::Longs: FORB\'s IDL has no "typedef"',
    '5 M::MOST: FORB\'s IDL has no "const"',
    '6 M::U: FORB\'s IDL has no "union"',
    '7 M::Full: FORB\'s IDL has no "exception"',
    '9 M::S::color: it uses "Color", which is left out',
    '10 M::S::u: FORB\'s IDL has no type "unsigned long long"',
    '11 M::S::name: FORB\'s IDL has no type "string <...>"',
    '12 M::S::d: FORB\'s IDL has no type "long double"',
    "16 I: FORB's interfaces extend no other",
    '17 I::size: FORB\'s IDL has no "readonly"',
    '18 I::f: FORB\'s IDL has no "oneway"',
    '19 I::g: FORB\'s IDL has no "raises"',
    '20 I::h: it uses "M::Longs", which is left out',
  ]);
  expect(sayingsOf({ definitions, leftOut })).toEqual([
    "struct M::S{int kept}",
    "interface I{void f(in int x); int g(); int kept(in int a)}",
  ]);
});
