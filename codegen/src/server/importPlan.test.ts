import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import protobuf from "protobufjs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IMPORTED_BYTES, MOST_IMPORTED_FILES } from "../contract/index.js";
import { newProject, parseTopology, printTopology } from "../model/topology/index.js";
import { planImport } from "./routes/importPlan.js";
import { idleToolchain, TestServer } from "./testing/testServer.js";

let server: TestServer;
let id: string;
beforeEach(async () => {
  server = await TestServer.start();
  id = await server.create("shop");
});
afterEach(() => server.stop());

const drawn = printTopology(newProject("shop"));
const plan = (files: { path: string; text: string }[], topology = drawn) =>
  server.api("POST", `/api/projects/${id}/import`, { topology, files });
const proto = (path: string, ...lines: string[]) => ({
  path,
  text: ['syntax = "proto3";', ...lines].join("\n"),
});
const beside = (...path: string[]) => join(server.workspace, "shop", ...path);

test("should say what files would add, and change nothing", async () => {
  const before = (await server.api("GET", `/api/projects/${id}`)).json;
  const { status, json } = await plan([
    proto("v1/shop.proto", 'import "v1/item.proto";', "service Shop { rpc Find(Item) returns (Item); }"),
    proto("v1/item.proto", "message Item { int32 number = 1; }"),
  ]);
  expect(status).toBe(200);
  expect(json.report).toMatchObject({
    messages: [{ from: "Item", to: "Item" }],
    services: [{ from: "Shop.Find", to: "Find" }],
    bundles: [{ from: "Shop", to: "Shop" }],
  });
  expect(json.problems).toEqual([]);
  expect(parseTopology(json.topology).topology?.services).toMatchObject([{ name: "Find", request: "Item" }]);
  expect((await server.api("GET", `/api/projects/${id}`)).json).toEqual(before);
});

test("should find what is imported in the project's folder, and nowhere else", async () => {
  const item = proto("", "message Item {}").text;
  await mkdir(beside("api"));
  await writeFile(beside("api/item.proto"), item);
  await writeFile(join(server.workspace, "outside.proto"), item);
  await writeFile(beside("item.txt"), item);
  await symlink(join(server.workspace, "outside.proto"), beside("linked.proto"));
  const importing = (path: string) => plan([proto("shop.proto", "", `import "${path}";`)]);
  expect((await importing("api/item.proto")).status).toBe(200);
  for (const path of ["../outside.proto", "linked.proto", "item.txt", "/etc/passwd"]) {
    const { status, json } = await importing(path);
    expect(status).toBe(422);
    expect(json.error.problems).toMatchObject([{ code: "PS980", file: "shop.proto", line: 3 }]);
    expect(json.error.problems[0].help).toMatch(/dropped along with it/);
    expect(json.error.problems[0].help).not.toContain("-I");
  }
});

test("should say at which line of which file it cannot go on", async () => {
  const { status, json } = await plan([proto("a.proto", "message A {}"), proto("b.proto", "message {")]);
  expect(status).toBe(422);
  expect(json.error).toMatchObject({
    code: "unreadable",
    problems: [{ code: "PS980", file: "b.proto", line: 2 }],
  });
  expect(json.error.message).toMatch(/^b\.proto:2: /);
});

test("should say what errors the drawing would have then", async () => {
  const { json } = await plan([
    { path: "a.idl", text: "struct big { long all[65536]; long more[65537]; };" },
  ]);
  expect(json.report.messages).toEqual([{ from: "big", to: "Big" }]);
  const wide = `struct wide { ${Array.from({ length: 3 }, (_, at) => `long m${at}[65536];`).join(" ")} };`;
  expect((await plan([{ path: "b.idl", text: wide }])).json.problems).toMatchObject([
    { code: "PS221", severity: "error" },
  ]);
});

test("should refuse what is no drawing, no file or too much", async () => {
  expect((await plan([proto("a.proto")], "{")).status).toBe(422);
  expect((await plan([])).status).toBe(400);
  expect((await plan([{ path: "a.txt", text: "" }])).json.error.problems).toMatchObject([
    { code: "PS980", file: "a.txt" },
  ]);
  const many = Array.from({ length: MOST_IMPORTED_FILES + 1 }, (_, at) => proto(`${at}.proto`));
  expect((await plan(many)).status).toBe(400);
  expect((await plan([{ path: "a.proto", text: " ".repeat(2 * IMPORTED_BYTES) }])).status).toBe(413);
});

test("should read no more once nobody waits for it", async () => {
  const gone = new AbortController();
  const { parse } = protobuf;
  let parsed = 0;
  const spy = vi.spyOn(protobuf, "parse").mockImplementation((...args: unknown[]) => {
    parsed += 1;
    if (parsed === 3) gone.abort();
    return Reflect.apply(parse, protobuf, args) as protobuf.IParserResult;
  });
  try {
    const files = Array.from({ length: 9 }, (_, at) => proto(`${at}.proto`, `message M${at} {}`));
    const request = { params: { project: id }, body: { topology: drawn, files }, signal: gone.signal };
    const context = { workspace: { folderOf: async () => beside() }, toolchain: idleToolchain };
    await expect(
      planImport(
        request as unknown as Parameters<typeof planImport>[0],
        context as unknown as Parameters<typeof planImport>[1],
      ),
    ).rejects.toMatchObject({ status: 400, code: "aborted" });
    expect(parsed).toBe(3);
  } finally {
    spy.mockRestore();
  }
});
