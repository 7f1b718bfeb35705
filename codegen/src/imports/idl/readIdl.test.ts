import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { newProject, type Topology } from "../../model/topology/index.js";
import { validateTopology } from "../../model/validate/index.js";
import { addTo, type Added } from "../addTo.js";
import { NotReadable } from "../described/described.js";
import { readIdl } from "./readIdl.js";

const EMPTY: Topology = { ...newProject("shop"), bundles: [], binaries: [] };
const imported = (text: string, topology = EMPTY): Added =>
  addTo(topology, readIdl({ file: "x.idl", text, find: () => undefined }));
/** `ME{l int64 1}`, `CalcAdd: CalcAddRequest -> CalcAddResponse`, `[Calc: CalcAdd]` */
const drawn = ({ topology: { messages, services, bundles } }: Added): string[] => [
  ...messages.map(
    ({ name, fields }) =>
      `${name}{${fields
        .map(
          ({ name: field, type, length, repeated, tag }) =>
            `${field} ${type}${length === undefined ? "" : `[${length}]`}${repeated === true ? "*" : ""} ${tag}`,
        )
        .join(", ")}}`,
  ),
  ...services.map(({ name, request, response }) => `${name}: ${request} -> ${response ?? "nothing"}`),
  ...bundles.map(({ name, services: held }) => `[${name}: ${held.join(" ")}]`),
];
const errorsOf = ({ topology }: Added): string[] =>
  validateTopology(topology)
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);

describe("every example of FORB's chapters 3 and 5", () => {
  test("3.2 a struct of a module", () => {
    const added = imported(`
// FORB IDL
module M {
    struct E {
        long L;
    };
};`);
    expect(drawn(added)).toEqual(["ME{l int64 1}"]);
    expect(added.topology.messages[0]!.doc).toBe("IDL: M::E");
    expect(added.report).toMatchObject({ messages: [{ from: "M::E", to: "ME" }], leftOut: [], notes: [] });
  });

  test("3.4 a module without definitions, 3.5 an interface without operations", () => {
    expect(drawn(imported("// FORB IDL\nmodule M {\n    // definitions\n};"))).toEqual([]);
    expect(drawn(imported("// FORB IDL\ninterface A {\n    // operations\n};"))).toEqual(["[A: ]"]);
  });

  test("3.7 a struct with an array, whose second name is printed as a number there", () => {
    const text = (name: string): string => `
// FORB IDL
struct A {
    short s;
    long ${name};
    char word[4];
};`;
    expect(drawn(imported(text("l")))).toEqual(["A{s int32 1, l int64 2, word bytes 3}"]);
    expect(() => imported(text("1"))).toThrow(NotReadable);
    expect(() => imported(text("1"))).toThrow('column 10: expected a name, found "1"');
  });

  test("3.9 operations, two of each name", () => {
    const text = `
// FORB IDL
interface A {
    int op1();
    int op1(in int a);
    int op2(out my_struct b);
    int op2(in char arr[100]);
};`;
    expect(() => imported(text)).toThrow(/column 17: .* found "my_struct"$/);
    const added = imported(`struct my_struct { int x; };${text}`);
    expect(drawn(added)).toEqual([
      "MyStruct{x int32 1}",
      "AOp1Request{}",
      "AOp1Response{result int32 1}",
      "AOp1IntRequest{a int32 1}",
      "AOp1IntResponse{result int32 1}",
      "AOp2Request{}",
      "AOp2Response{result int32 1, b MyStruct 2}",
      "AOp2Char100Request{arr bytes 1}",
      "AOp2Char100Response{result int32 1}",
      "AOp1: AOp1Request -> AOp1Response",
      "AOp1Int: AOp1IntRequest -> AOp1IntResponse",
      "AOp2: AOp2Request -> AOp2Response",
      "AOp2Char100: AOp2Char100Request -> AOp2Char100Response",
      "[A: AOp1 AOp1Int AOp2 AOp2Char100]",
    ]);
    expect(added.report.services).toEqual([
      { from: "A::op1", to: "AOp1" },
      { from: "A::op1(int)", to: "AOp1Int" },
      { from: "A::op2", to: "AOp2" },
      { from: "A::op2(char[100])", to: "AOp2Char100" },
    ]);
    expect(errorsOf(added)).toEqual([]);
  });

  test("5.1 the interface whose speed was measured, with arrays of up to 512 MB", () => {
    const sizes = [
      1_048_576, 2_097_152, 4_194_304, 8_388_608, 16_777_216, 33_554_432, 67_108_864, 134_217_728,
    ];
    const added = imported(`
module forb_profiler {
   // Simple conversion table, using the following convention:
   // 1M = 1048576

   interface profiler {
        // Return value will be the XOR of all the words given as input
${sizes.map((size, at) => `        int method${at}(in int arg[${size}   ]);`).join("\n")}
   };
};`);
    const { topology, report } = added;
    expect(topology.services.map(({ name }) => name)).toEqual(
      sizes.map((_, at) => `ForbProfilerProfilerMethod${at}`),
    );
    expect(topology.services[0]!.doc).toBe(
      "Return value will be the XOR of all the words given as input\nIDL: forb_profiler::profiler::method0",
    );
    expect(topology.messages[0]).toEqual({
      name: "ForbProfilerProfilerMethod0Request",
      fields: [
        { name: "arg", type: "buffer", tag: 1, doc: "IDL: int[1048576], of 4 bytes each, little-endian" },
      ],
    });
    expect(report.notes).toHaveLength(sizes.length);
    expect(report.notes[0]).toBe(
      "forb_profiler::profiler::method0::arg has more than 65536 elements: it becomes a buffer, little-endian, of 4 bytes each.",
    );
    expect(errorsOf(added)).toEqual([]);
  });
});

test("all basic types, alone and in arrays", () => {
  expect(
    drawn(
      imported(`struct All {
        char c; octet o; short s; int i; long l; float f; double d; boolean b;
        char cs[70000]; octet os[1]; short ss[2]; int is[3]; long ls[4]; float fs[5]; double ds[6]; boolean bs[7];
      };`),
    ),
  ).toEqual([
    "All{c int32 1, o int32 2, s int32 3, i int32 4, l int64 5, f float 6, d double 7, b bool 8, " +
      "cs bytes 9, os bytes 10, ss int32[2] 11, is int32[3] 12, ls int64[4] 13, fs float[5] 14, ds double[6] 15, bs bool[7] 16}",
  ]);
});

test("what is returned comes first, then out and inout; in and inout are asked with", () => {
  const added = imported(`module a { module b {
  struct pair { int x; int y; };
  interface calc {
    // Divides.
    pair divide(in int num, // Above.
                out int result, inout pair pairs[2]);
    void reset();
    void swap(inout int a, inout int b);
  };
} }`);
  expect(drawn(added)).toEqual([
    "ABPair{x int32 1, y int32 2}",
    "ABCalcDivideRequest{num int32 1, pairs ABPair[2] 2}",
    "ABCalcDivideResponse{result ABPair 1, result2 int32 2, pairs ABPair[2] 3}",
    "ABCalcResetRequest{}",
    "ABCalcSwapRequest{a int32 1, b int32 2}",
    "ABCalcSwapResponse{a int32 1, b int32 2}",
    "ABCalcDivide: ABCalcDivideRequest -> ABCalcDivideResponse",
    "ABCalcReset: ABCalcResetRequest -> nothing",
    "ABCalcSwap: ABCalcSwapRequest -> ABCalcSwapResponse",
    "[ABCalc: ABCalcDivide ABCalcReset ABCalcSwap]",
  ]);
  const { messages, services, bundles } = added.topology;
  expect(services[0]!.doc).toBe("Divides.\nIDL: a::b::calc::divide");
  expect(messages[1]!.fields[0]!.doc).toBe("Above.");
  expect(bundles[0]!.doc).toBe("IDL: a::b::calc");
  expect(errorsOf(added)).toEqual([]);
});

test("the example of the page becomes what the page says", () => {
  const page = readFileSync(new URL("../../../../docs/idl.md", import.meta.url), "utf8");
  const [, example = ""] = /```\n(module[^]*?)```/.exec(page) ?? [];
  const { messages, services, bundles } = imported(example).topology;
  const names = [...messages, ...services, ...bundles].map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["ShopItem", "ShopPrices", "ShopPricesOf", "ShopPricesOfInt"]),
  );
  for (const name of ["ShopItem", "ShopPrices", "ShopPricesOf", "ShopPricesOfInt"])
    expect(page).toContain(`\`${name}\``);
  expect(services[0]!.doc).toBe("What it costs, in cents.\nIDL: shop::prices::of");
});

test("overloads: the first keeps its name, each further one has its parameters in it", () => {
  const added = imported(`module m { struct p_q { int x; }; interface Calc {
    int add(in int a, in int b);
    float add(in float a, in float b);
    void add();
    void add(in p_q a, out char b[4]);
  }; }`);
  expect(added.report.services.map(({ to }) => to)).toEqual([
    "MCalcAdd",
    "MCalcAddFloatFloat",
    "MCalcAddVoid",
    "MCalcAddPQChar4",
  ]);
});

test("a long array of structs becomes a list, and what is short stays an array", () => {
  const added = imported(
    "struct S { int x; }; interface I { void f(inout S s[70000], in double d[65536]); };",
  );
  expect(drawn(added).slice(1, 3)).toEqual(["IFRequest{s S* 1, d double[65536] 2}", "IFResponse{s S* 1}"]);
  expect(added.report.notes).toEqual([
    "I::f::s has more than 65536 elements: it becomes a list of any length.",
  ]);
});

test("names that a drawing refuses or has already become others", () => {
  const added = imported(`struct my_struct { int class; int Class; int _x; };
interface calc { void delete(in my_struct s); };`);
  expect(errorsOf(added)).toEqual([]);
  // Once more: all of it is there.
  const again = imported("struct my_struct { int class; int Class; int _x; };", added.topology);
  expect(again.report).toMatchObject({ messages: [], kept: [{ from: "my_struct", to: "MyStruct" }] });
  const other = imported("struct my_struct { double y; };", added.topology);
  expect(other.report.messages).toEqual([{ from: "my_struct", to: "MyStruct2" }]);
});

test("what has no counterpart is named with its file and line", () => {
  const { report } = imported(
    "struct S { int a; };\nenum Color { RED };\ninterface I { Color c(); int f(); };",
  );
  expect(report.leftOut).toEqual([
    { name: "Color", reason: 'FORB\'s IDL has no "enum"', file: "x.idl", line: 2 },
    { name: "I::c", reason: 'it uses "Color", which is left out', file: "x.idl", line: 3 },
  ]);
});

test("what cannot be read says where", () => {
  const refused = (): Added => imported("struct S {\n  int a\n};");
  expect(refused).toThrow(expect.objectContaining({ file: "x.idl", line: 3 }));
  expect(refused).toThrow('column 1: expected ";", found "}"');
});
