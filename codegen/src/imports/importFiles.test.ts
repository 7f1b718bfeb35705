import protobuf from "protobufjs";
import { expect, test, vi } from "vitest";
import { newProject } from "../model/topology/index.js";
import { findAmong, type Brought } from "./findAmong.js";
import { importFiles } from "./importFiles.js";
import { addsNothing } from "./report.js";

const proto = (path: string, ...lines: string[]): Brought => ({
  path,
  text: ['syntax = "proto3";', ...lines].join("\n"),
});
const planOf = (...files: Brought[]) =>
  importFiles(
    newProject("shop"),
    files.map((file) => ({ file: file.path, text: file.text, find: findAmong(files, file) })),
  );

const item = proto("v1/item.proto", "package a;", "message Item { int32 number = 1; }");
const order = proto(
  "v1/order.proto",
  "package a;",
  'import "v1/item.proto";',
  "message Order { Item item = 1; }",
);

test("what two files need is there once, whichever comes first", async () => {
  for (const files of [
    [item, order],
    [order, item],
  ]) {
    const { topology, report } = await planOf(...files);
    expect(topology.messages.map(({ name }) => name).sort()).toEqual(["Item", "Order"]);
    expect(report.kept).toEqual([]);
    expect(addsNothing(report)).toBe(false);
  }
});

test("an import is found below other folders, and without its own", async () => {
  const below = { ...item, path: "api/main/v1/item.proto" };
  const bare = { ...item, path: "item.proto" };
  for (const one of [below, bare])
    expect((await planOf(one, { ...order, path: "order.proto" })).report.messages).toHaveLength(2);
});

test("a file is not its own import, and none is one of protobuf's own for its name alone", async () => {
  const http = proto("http.proto", 'import "google/api/http.proto";', "message Mine {}");
  await expect(planOf(http)).rejects.toMatchObject({
    message: "imports google/api/http.proto, which is not found",
    file: "http.proto",
    line: 2,
  });
  const own = proto("timestamp.proto", "message Mine {}");
  const stamped = proto(
    "stamped.proto",
    'import "google/protobuf/timestamp.proto";',
    "message Stamped { google.protobuf.Timestamp at = 1; }",
  );
  expect((await planOf(own, stamped)).report.messages.map(({ to }) => to)).toEqual([
    "Mine",
    "Stamped",
    "Timestamp",
  ]);
});

test("of two files that an import may mean, the one nearer to the top is taken", async () => {
  const copy = proto("third_party/v1/item.proto", "package b;", "message Other {}");
  const { report } = await planOf({ ...order, path: "x/v1/order.proto" }, copy, {
    ...item,
    path: "x/v1/item.proto",
  });
  expect(report.messages.map(({ from }) => from)).toEqual(["a.Order", "a.Item", "b.Other"]);
});

test("what two files say otherwise is refused with both names", async () => {
  const other = proto("old/item.proto", "package a;", "message Item { string number = 1; }");
  await expect(planOf(item, other)).rejects.toMatchObject({
    message: "a.Item is described otherwise than in v1/item.proto",
    file: "old/item.proto",
  });
  const documented = proto("new/item.proto", "package a;", "// One.", "message Item { int32 number = 1; }");
  expect((await planOf(item, documented)).report.messages).toHaveLength(1);
});

test("what two files of IDL say otherwise is refused at its line", async () => {
  const here: Brought = { path: "a.idl", text: "struct S { int a; };\ninterface I { void f(in int x); };" };
  const refusal = (text: string) => planOf(here, { path: "b.idl", text }).catch((error: unknown) => error);
  expect(await refusal("\nstruct S { long a; };")).toMatchObject({
    message: "S is described otherwise than in a.idl",
    file: "b.idl",
    line: 2,
  });
  expect(await refusal("interface I {\n\nvoid f(in long x);\n};")).toMatchObject({ file: "b.idl", line: 3 });
  expect(await refusal("\n\ninterface I { void f(in int x); void g(); };")).toMatchObject({ line: 3 });
});

test("a file of another kind is refused", async () => {
  await expect(planOf({ path: "notes.txt", text: "" })).rejects.toMatchObject({ file: "notes.txt" });
});

test("IDL and .proto come in together, what they leave out named once", async () => {
  const idl: Brought = { path: "calc.idl", text: "interface Calc { int add(in int a); };" };
  const stream = proto("s.proto", "message A {}", "service S { rpc Listen(A) returns (stream A); }");
  const { report } = await planOf(idl, stream, { ...stream, path: "copy/s.proto" });
  expect(report.services).toEqual([{ from: "Calc::add", to: "CalcAdd" }]);
  expect(report.leftOut).toEqual([{ name: "S.Listen", reason: "a stream", file: "s.proto", line: 3 }]);
});

test("an import with a character that no path has is refused, not looked for", async () => {
  await expect(planOf(proto("a.proto", 'import "b\\000.proto";'))).rejects.toThrow("no path for an import");
});

test("each text is parsed once, whoever imports it, by whatever name", async () => {
  const parse = vi.spyOn(protobuf, "parse");
  try {
    const users = Array.from({ length: 20 }, (_, at) =>
      proto(
        `user${at}.proto`,
        "package a;",
        'import "v1/order.proto";',
        `message M${at} { Order order = 1; }`,
      ),
    );
    const files = [...users, { ...item, path: "api/v1/item.proto" }, order, { ...order, path: "copy.proto" }];
    const { report } = await planOf(...files);
    expect(report.messages).toHaveLength(22);
    const texts = parse.mock.calls.map(([text]) => text);
    expect(texts).toHaveLength(22);
    expect(new Set(texts).size).toBe(22);
  } finally {
    parse.mockRestore();
  }
});

test("what came along and is not imported is not known", async () => {
  const user = proto("user.proto", "package a;", "message User {", "  Item item = 1;", "}");
  for (const files of [
    [item, user],
    [user, item],
  ])
    await expect(planOf(...files)).rejects.toMatchObject({
      message: "names a.Item of v1/item.proto, which is not imported",
      file: "user.proto",
      line: 4,
    });
});

test("an import ends at the file after which nobody waits any more", async () => {
  const parse = vi.spyOn(protobuf, "parse");
  try {
    const files = Array.from({ length: 9 }, (_, at) => proto(`${at}.proto`, `message M${at} {}`));
    const sources = files.map((file) => ({ file: file.path, text: file.text, find: () => undefined }));
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 3) throw new Error("gone");
    };
    await expect(importFiles(newProject("shop"), sources, pause)).rejects.toThrow("gone");
    expect(parse).toHaveBeenCalledTimes(3);
  } finally {
    parse.mockRestore();
  }
});
