import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { parseTopology, type Field, type Topology } from "../../model/topology/index.js";
import { validateTopology } from "../../model/validate/index.js";
import { addTo } from "../addTo.js";
import { NotReadable, refTo, type Described } from "../described/described.js";
import { protoNameOf } from "../named.js";
import { readProto } from "./readProto.js";

/** Reads the first of some files, which may import the others. */
function read(files: Record<string, string>): Described {
  const [file = "", text = ""] = Object.entries(files)[0] ?? [];
  return readProto({ file, text, find: (name) => files[name] });
}
const proto3 = (text: string): Described => read({ "a.proto": `syntax = "proto3"; package p;\n${text}` });
const fields = (described: Described, from: string) =>
  described.messages.find((thing) => thing.from === from)?.item.fields;

test("messages and enums, nested ones too, with tags, labels, order and docs", () => {
  const { messages, enums, leftOut } = proto3(`
    // A node of
    // the tree
    message Tree {
      string label = 2; // What it says
      optional int32 weight = 1;
      repeated double values = 4;
      Colour colour = 3;
      Leaf leaf = 5;
      /* Of the tree */
      message Leaf { bytes raw = 1; Tree tree = 2; }
      enum Colour { COLOUR_RED = 0; COLOUR_DARK_GREEN = 7; }
    }`);
  expect(leftOut).toEqual([]);
  expect(messages).toEqual([
    {
      from: "p.Tree",
      scope: "p",
      item: {
        name: "Tree",
        fields: [
          { name: "label", type: "string", tag: 2, doc: "What it says" },
          { name: "weight", type: "int32", tag: 1, optional: true },
          { name: "values", type: "double", tag: 4, repeated: true },
          { name: "colour", type: refTo("p.Tree.Colour"), tag: 3 },
          { name: "leaf", type: refTo("p.Tree.Leaf"), tag: 5, optional: true },
        ],
        doc: "A node of\nthe tree",
      },
    },
    {
      from: "p.Tree.Leaf",
      scope: "p",
      item: {
        name: "TreeLeaf",
        fields: [
          { name: "raw", type: "bytes", tag: 1 },
          { name: "tree", type: refTo("p.Tree"), tag: 2, optional: true },
        ],
        doc: "Of the tree",
      },
    },
  ]);
  expect(enums).toEqual([
    {
      from: "p.Tree.Colour",
      scope: "p",
      item: {
        name: "TreeColour",
        values: [
          { name: "RED", number: 0, protoName: "COLOUR_RED" },
          { name: "DARK_GREEN", number: 7, protoName: "COLOUR_DARK_GREEN" },
        ],
      },
    },
  ]);
});

test("maps, oneofs, every scalar, what is reserved, and names in JSON", () => {
  const described = proto3(`
    message M {
      reserved 2, 9 to 11, 1000 to max;
      reserved "old";
      map<sint32, M> all = 1;
      // What it is
      oneof what { string text = 3; fixed64 number = 4; }
      sint32 a = 5; sint64 b = 6; fixed32 c = 7; sfixed32 d = 8; repeated sfixed64 e = 12;
      string class = 13; bool f = 14 [json_name = "eff"];
    }
    enum E { reserved -3 to -1; reserved "NO"; E_YES = 0; }`);
  expect(described.leftOut).toEqual([]);
  expect(described.messages[0]?.item.reserved).toEqual({
    numbers: [2, [9, 11], [1000, 536_870_911]],
    names: ["old"],
  });
  expect(described.enums[0]?.item.reserved).toEqual({ numbers: [[-3, -1]], names: ["NO"] });
  expect(fields(described, "p.M")).toEqual([
    { name: "all", type: refTo("p.M"), tag: 1, repeated: true, key: "sint32" },
    { name: "text", type: "string", tag: 3, optional: true, oneof: "what", doc: "What it is" },
    { name: "number", type: "uint64", tag: 4, optional: true, encoding: "fixed", oneof: "what" },
    { name: "a", type: "int32", tag: 5, encoding: "zigzag" },
    { name: "b", type: "int64", tag: 6, encoding: "zigzag" },
    { name: "c", type: "uint32", tag: 7, encoding: "fixed" },
    { name: "d", type: "int32", tag: 8, encoding: "fixed" },
    { name: "e", type: "int64", tag: 12, repeated: true, encoding: "fixed" },
    { name: "class", type: "string", tag: 13 },
    { name: "f", type: "bool", tag: 14, jsonName: "eff" },
  ]);
});

test("lists of numbers that are not packed say so, in every syntax", () => {
  const packings = (text: string) =>
    fields(read({ "a.proto": `${text} enum E { NONE = 0; }` }), "M")?.map(({ packed }) => packed);
  const unpacked = [false, false, undefined, undefined, undefined, false];
  const lists = (packed: string, not: string, label = "") =>
    `message M { repeated sint32 a = 1 ${not}; repeated E b = 2 ${not}; repeated bool c = 3 ${packed};
      ${label} int32 d = 4; repeated string e = 5 ${not}; repeated double f = 6 ${not}; }`;
  expect(packings(`syntax = "proto3"; ${lists("", "[packed = false]")}`)).toEqual(unpacked);
  expect(packings(`syntax = "proto2"; ${lists("[packed = true]", "", "optional")}`)).toEqual(unpacked);
  const feature = "[features.repeated_field_encoding = EXPANDED]";
  expect(packings(`edition = "2023"; ${lists("", feature)}`)).toEqual(unpacked);
  const level = read({
    "a.proto": `syntax = "proto2"; enum L { LOW = 1; } message M { repeated L a = 1; map<int32, int32> b = 2; }`,
  });
  expect(fields(level, "M")).toEqual([
    { name: "a", type: "int32", tag: 1, repeated: true, packed: false },
    { name: "b", type: "int32", tag: 2, repeated: true, key: "int32" },
  ]);
});

test("public files lose no message: those that come with the parser", () => {
  const folder = path.dirname(createRequire(import.meta.url).resolve("protobufjs/package.json"));
  const find = (name: string): string | undefined => {
    const file = path.join(folder, name);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  for (const file of ["google/api/http.proto", "google/api/annotations.proto", "google/protobuf/api.proto"]) {
    const text = find(file) ?? "";
    const described = readProto({ file, text, find });
    expect(described.leftOut).toEqual([]);
    const declared = [...text.matchAll(/^message (\w+)/gm)].map(([, name]) => name);
    expect(described.messages.map(({ item }) => item.name)).toEqual(expect.arrayContaining(declared));
    const added = addTo(
      {
        penstock: 1,
        name: "shop",
        messages: [],
        enums: [],
        services: [],
        flows: [],
        bundles: [],
        binaries: [],
      },
      described,
    );
    expect(validateTopology(added.topology).filter(({ severity }) => severity === "error")).toEqual([]);
  }
});

test("a service is a bundle, its calls are services; streams are named with their line", () => {
  const { services, bundles, leftOut } = proto3(`
    message M {}
    // What ads need
    service Ads {
      // The best one
      rpc Get(M) returns (M) { option deprecated = true; }
      rpc Watch(M) returns (stream M);
      rpc Send(stream M) returns (M);
    }`);
  expect(services).toMatchObject([
    { from: "p.Ads.Get", scope: "Ads", item: { name: "Get", request: refTo("p.M"), doc: "The best one" } },
  ]);
  expect(bundles).toMatchObject([
    { from: "p.Ads", item: { name: "Ads", services: [refTo("p.Ads.Get")], doc: "What ads need" } },
  ]);
  expect(leftOut).toEqual([
    { name: "p.Ads.Watch", reason: "a stream", file: "a.proto", line: 8 },
    { name: "p.Ads.Send", reason: "a stream", file: "a.proto", line: 9 },
  ]);
});

test("of imported files what is needed comes along, and what they import themselves", () => {
  const { messages } = read({
    "a.proto": `syntax = "proto3"; package a; import "lib/b.proto"; message A { b.B b = 1; .c.C c = 2; }`,
    "lib/b.proto": `syntax = "proto3"; package b; import public "c.proto"; message B { c.C c = 1; } message No {}`,
    "c.proto": `syntax = "proto3"; package c; message C { message In {} In in = 1; }`,
  });
  expect(messages.map(({ from }) => from)).toEqual(["a.A", "b.B", "c.C", "c.C.In"]);
});

test("protobuf's own types are known without their files", () => {
  const described = read({
    "a.proto": `syntax = "proto3"; import "google/protobuf/timestamp.proto"; message A { google.protobuf.Timestamp at = 1; }`,
  });
  expect(described.messages.map(({ from, item }) => [from, item.name])).toEqual([
    ["A", "A"],
    ["google.protobuf.Timestamp", "Timestamp"],
  ]);
  expect(described.notes.join()).toContain("google.protobuf.Timestamp");
});

test("what has no counterpart is named with file and line: groups, defaults, extensions", () => {
  const { leftOut, messages, notes } = read({
    "old.proto": `syntax = "proto2";
import "google/protobuf/descriptor.proto";
message Old {
  required string name = 1;
  optional int32 size = 2 [default = 7, deprecated = true];
  repeated group Part = 3 { optional int32 x = 1; }
  extensions 100 to 199;
}
extend Old { optional int32 more = 100; }
extend google.protobuf.FieldOptions { optional int32 mine = 50001; }
enum Level { LOW = 1; HIGH = 2; }
message Uses { optional Level level = 1; }
enum Two { option allow_alias = true; A = 0; B = 0; }`,
  });
  expect(leftOut).toEqual([
    { name: "Old.size", reason: "a default value", file: "old.proto", line: 5 },
    { name: "Old.part", reason: "a group", file: "old.proto", line: 6 },
    { name: "Old", reason: "tags for extensions", file: "old.proto", line: 7 },
    { name: "more", reason: "an extension of Old", file: "old.proto", line: 9 },
    {
      name: "Level",
      reason: "an enum without a value 0: its fields become int32",
      file: "old.proto",
      line: 11,
    },
    { name: "Two.B", reason: "a second name of the number 0", file: "old.proto", line: 13 },
  ]);
  expect(messages.map(({ item }) => [item.name, item.fields.length])).toEqual([
    ["Old", 2],
    ["Uses", 1],
  ]);
  expect(notes.join(" ")).toContain("Old.name is required");
  expect(fields(read({ "b.proto": `syntax="proto2"; message M { optional int32 a = 1; }` }), "M")).toEqual([
    { name: "a", type: "int32", tag: 1, optional: true },
  ]);
});

test("of editions the features count", () => {
  const described = read({
    "e.proto": `edition = "2023"; package e;
      message M { int32 a = 1; int32 b = 2 [features.field_presence = IMPLICIT]; N n = 3 [features.message_encoding = DELIMITED]; }
      message N {}`,
  });
  expect(fields(described, "e.M")).toEqual([
    { name: "a", type: "int32", tag: 1, optional: true },
    { name: "b", type: "int32", tag: 2 },
  ]);
  expect(described.leftOut).toEqual([{ name: "e.M.n", reason: "a group", file: "e.proto", line: 2 }]);
});

test("row 61: a file with an error is refused with its line, whatever it is", () => {
  const refusal = (files: Record<string, string>): NotReadable => {
    try {
      read(files);
    } catch (error) {
      if (error instanceof NotReadable) return error;
      throw error;
    }
    throw new Error("it was read");
  };
  expect(refusal({ "a.proto": `syntax = "proto3";\nmessage A { string = 1; }` })).toMatchObject({
    file: "a.proto",
    line: 2,
  });
  expect(refusal({ "a.proto": `syntax = "proto3";\nimport "no.proto";` })).toMatchObject({
    message: "imports no.proto, which is not found",
    line: 2,
  });
  expect(refusal({ "a.proto": `syntax = "proto3";\nimport "../up.proto";` }).message).toContain(
    "../up.proto",
  );
  expect(refusal({ "a.proto": `import "b.proto";`, "b.proto": `\nmessage {` })).toMatchObject({
    file: "b.proto",
    line: 2,
  });
  expect(refusal({ "a.proto": `syntax = "proto3"; message A { B b = 1; }` }).message).toContain("B");
  const own = `package google.protobuf; import "google/protobuf/duration.proto"; message Duration {}`;
  expect(refusal({ "a.proto": `import "b.proto";`, "b.proto": own })).toMatchObject({
    message: expect.stringContaining("Duration"),
    file: "b.proto",
  });
  for (const name of ["get", "name", "prototype"])
    expect(refusal({ "a.proto": `import "${name}";` }).message).toBe(`imports ${name}, which is not found`);
  for (const text of [
    "\0",
    "{",
    '"',
    "message A {",
    "message A { message A {",
    "/*",
    "import 'x",
    "]",
    "package",
  ])
    expect(refusal({ "a.proto": text }).file).toBe("a.proto");
});

test("what Penstock writes comes in again as it was drawn", () => {
  const golden = new URL("../../../test/golden/all-types/", import.meta.url);
  const text = readFileSync(new URL("generated/all_types/messages.proto", golden), "utf8");
  const before = parseTopology(readFileSync(new URL("topology.json", golden))).topology!;
  const described = readProto({ file: "messages.proto", text, find: () => undefined });
  const { topology } = addTo({ ...before, messages: [], enums: [], services: [], flows: [] }, described);
  const named = <T extends { name: string }>(list: readonly T[], name: string): T | undefined =>
    list.find((item) => item.name === name);
  expect(described.leftOut).toEqual([]);
  // One of its values has no prefix, so all keep theirs.
  const inProto = ({ enums }: Topology) =>
    enums.map(({ name, values }) => values.map((value) => [protoNameOf(name, value), value.number]));
  expect(inProto(topology)).toEqual(inProto(before));
  expect(topology.enums[0]?.reserved).toEqual(before.enums[0]?.reserved);
  const said = ({ name, tag, packed, key, oneof }: Field) => ({ name, tag, packed, key, oneof });
  for (const name of ["Coded", "Maps", "Tree", "Maybes"]) {
    const drawn = named(before.messages, name);
    const message = named(topology.messages, name);
    expect(message?.fields.map(said)).toEqual(drawn?.fields.map(said));
    expect(message?.reserved).toEqual(drawn?.reserved);
  }
  expect(topology.services.map(({ name }) => name)).toContain("ContinuingSilent");
});
