import { expect, test } from "vitest";
import { NotReadable } from "../described/described.js";
import { readProto } from "./readProto.js";

/** What the first of some files is refused with, as `file:line: message`. */
function refusal(files: Record<string, string>): string {
  const [file = "", text = ""] = Object.entries(files)[0] ?? [];
  try {
    readProto({ file, text, find: (name) => files[name] });
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    return `${error.file}:${error.line}: ${error.message}`;
  }
  return "it was read";
}
const alone = (...lines: string[]): string =>
  refusal({ "a.proto": ['syntax = "proto3"; package p;', ...lines].join("\n") });

test.each([
  ["a field twice", ["message A {", "  int32 a = 1;", "", "  int32 a = 2;", "}"], "5: duplicate name 'a'"],
  ["a tag twice", ["message A {", "  int32 a = 1;", "  int32 b = 1; // :)", "}"], "4: duplicate id 1"],
  ["a message twice", ["message A {}", "message B {}", "message A {", "}"], "5: duplicate name 'A'"],
  ["a value twice, as its enum ends", ["enum E {", "  A = 0;", "  A = 1;", "}"], "5: duplicate name 'A'"],
  ["a reserved tag", ["message A {", "  reserved 4;", "  int32 a = 4;", "}"], "4: id 4 is reserved"],
  [
    "an unknown type",
    ["message A {", "  int32 a = 1;", "  Int b = 2;", "}"],
    "4: no such Type or Enum 'Int'",
  ],
  [
    "an unknown request",
    ["message A {}", "service S {", "  rpc G(A) returns (X);", "}"],
    "4: no such type: X",
  ],
  ["the end", ["message A {", "  int32 a = 1;"], "3: the file ends too early"],
  ["what extends an enum", ["enum E { A = 0; }", "extend E { int32 a = 100; }"], "3: what stands here is no"],
  ["a long number", ["enum E {", "  A = 0;", "  B = 2147483648;", "}"], "4: the number of p.E.B has more"],
  ["a long tag", ["message A {", "", "  int32 a = 99999999999999999999;", "}"], "4: the number of p.A.a has"],
  ["a long range", ["message A {", "  reserved 7 to 9999999999;", "}"], "2: the number of p.A has more"],
  ["NUL in a comment", ["// a", "// \0"], "3: the file has a NUL character"],
  ["half a character", ["message A {}", "// \ud800"], "3: the file has half a character"],
])("%s is refused at its line", (_, lines, said) => {
  expect(alone(...lines)).toContain(`a.proto:${said}`);
});

test("a fault is said of the file that has it, also of what two files together have", () => {
  const b = (...lines: string[]): string =>
    refusal({
      "a.proto": 'syntax = "proto3"; package p; import "b.proto"; message B { int32 a = 1; }',
      "b.proto": lines.join("\n"),
    });
  const head = 'syntax = "proto3"; package p;';
  expect(b(head, "", "message A { C c = 1; }")).toContain("b.proto:3: no such Type or Enum 'C'");
  expect(b(head, "message A {}", "message B {}")).toContain(
    "b.proto:3: p.B is described otherwise than in a.proto",
  );
  expect(
    refusal({
      "a.proto": 'syntax = "proto3"; package p.A; import "b.proto"; message X {}',
      "b.proto": `${head}\nenum A { Z = 0; }`,
    }),
  ).toContain("b.proto:2: duplicate name 'A'");
  expect(b("package q;", "", 'syntax = "proto4"; message C {}')).toContain(
    'b.proto:3: "proto4" is no syntax',
  );
});
