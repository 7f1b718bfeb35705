import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Rename, SourceFile } from "../contract/index.js";
import { fileIdOf } from "../workspace/projectId.js";
import { TestServer } from "./testing/testServer.js";
import { realToolchain, type Toolchain } from "./projects/toolchain.js";

let server: TestServer;
let path: string;
beforeEach(async () => {
  server = await TestServer.start({ toolchain: realToolchain });
  path = `/api/projects/${await server.create("mine")}`;
});
afterEach(() => server.stop());

/** Saves a drawing of one service. */
async function draw(service: string, renames: Rename[] = []): Promise<void> {
  const { revision, layout } = (await server.api("GET", path)).json;
  const topology = JSON.stringify({
    penstock: 1,
    name: "mine",
    messages: [{ name: "Word", fields: [{ name: "text", type: "string", tag: 1 }] }],
    services: [{ name: service, request: "Word", response: "Word" }],
    bundles: [{ name: "All", services: [service] }],
    binaries: [{ name: "mine-server", bundles: ["All"] }],
  });
  const body = { topology, layout, renames };
  const saved = await server.api("PUT", path, body, { "If-Match": `"${revision}"` });
  expect(saved.status).toBe(200);
}
const generate = async (): Promise<void> =>
  expect((await server.api("POST", `${path}/generate`, {})).json).toMatchObject({ ok: true });
const listed = async (): Promise<string[]> =>
  ((await server.api("GET", `${path}/files`)).json as SourceFile[]).map((file) => file.path);
const onDisk = (file: string): Promise<string> => readFile(join(server.workspace, "mine", file), "utf8");

test("should save a handler under its old name until a generation has followed the rename", async () => {
  await draw("Echo");
  await generate();
  const file = `${path}/files/${fileIdOf("src/services/echo.cpp")}`;
  const { text, hash } = (await server.api("GET", file)).json;
  await draw("Parrot", [{ kind: "service", from: "Echo", to: "Parrot" }]);
  expect(await listed()).toContain("src/services/echo.cpp");
  const saved = await server.api("PUT", file, { text: `${text}// mine\n` }, { "If-Match": `"${hash}"` });
  expect(saved.status).toBe(200);
  await generate();
  expect(await onDisk("src/services/parrot.cpp")).toContain("// mine");
  expect(await listed()).not.toContain("src/services/echo.cpp");
});

test("should have a copy's handlers follow the renames that its project's have yet to follow, and no others", async () => {
  await draw("Echo");
  await generate();
  await draw("Reply", [{ kind: "service", from: "Echo", to: "Reply" }]);
  await generate();
  const file = `${path}/files/${fileIdOf("src/services/reply.cpp")}`;
  const { text, hash } = (await server.api("GET", file)).json;
  await server.api("PUT", file, { text: `${text}// mine\n` }, { "If-Match": `"${hash}"` });
  await draw("Parrot", [{ kind: "service", from: "Reply", to: "Parrot" }]);
  const { json } = await server.api("POST", `${path}/duplicate`, { name: "copy" });
  await generate();
  for (const project of ["mine", "copy"]) {
    if (project === "copy") path = `/api/projects/${json.id}`;
    await generate();
    expect(await readFile(join(server.workspace, project, "src/services/parrot.cpp"), "utf8")).toContain(
      "// mine",
    );
    expect(await readdir(join(server.workspace, project, "src"))).not.toContain("_detached");
  }
});

test("should give a new project no renames of one that was taken away by hand", async () => {
  await draw("Echo");
  await draw("Parrot", [{ kind: "service", from: "Echo", to: "Parrot" }]);
  await rm(join(server.workspace, "mine"), { recursive: true });
  await server.create("mine");
  expect(await readdir(join(server.workspace, ".penstock/projects/mine"))).not.toContain("renames.json");
});

test("should save a handler without a look at the drawing, and a drawing by reading it once", async () => {
  const asked: string[] = [];
  const { format } = realToolchain;
  const counting: Toolchain = {
    ...realToolchain,
    format: { ...format, parse: (text) => (asked.push("parse"), format.parse(text)) },
    describeSources: (...args) => (asked.push("plan and render"), realToolchain.describeSources(...args)),
    formerSources: (...args) => (asked.push("plan"), realToolchain.formerSources(...args)),
  };
  await server.stop();
  server = await TestServer.start({ toolchain: counting });
  path = `/api/projects/${await server.create("mine")}`;
  await draw("Echo");
  await generate();
  const file = `${path}/files/${fileIdOf("src/services/echo.cpp")}`;
  asked.length = 0;
  const { text, hash } = (await server.api("GET", file)).json;
  const saved = await server.api("PUT", file, { text: `${text}// mine\n` }, { "If-Match": `"${hash}"` });
  expect([saved.status, saved.json.written, asked]).toEqual([200, true, []]);
  const back = await server.api("PUT", file, { text }, { "If-Match": `"${saved.json.hash}"` });
  expect([back.json.written, asked]).toEqual([false, []]);
  const { revision, layout, topology } = (await server.api("GET", path)).json;
  asked.length = 0;
  for (const doc of ["one", "two"]) {
    const body = { topology: JSON.stringify({ ...JSON.parse(topology), doc }), layout };
    const before: string = doc === "one" ? revision : (await server.api("GET", path)).json.revision;
    asked.length = 0;
    expect((await server.api("PUT", path, body, { "If-Match": `"${before}"` })).status).toBe(200);
    expect(asked).toEqual(["parse"]);
  }
});

test("should take no other file for a handler, whatever a manifest says", async () => {
  await draw("Echo");
  await generate();
  const manifest = JSON.parse(await onDisk("generated/manifest.json")) as { sources: string[] };
  const others = ["topology.json", "generated/manifest.json", "src/../topology.json", "src/none.cpp"];
  await writeFile(
    join(server.workspace, "mine", "generated/manifest.json"),
    JSON.stringify({ ...manifest, sources: [...manifest.sources, ...others] }),
  );
  for (const other of others) {
    const file = `${path}/files/${fileIdOf(other)}`;
    expect([other, (await server.api("PUT", file, { text: "mine" }, { "If-Match": '"0"' })).status]).toEqual([
      other,
      404,
    ]);
  }
});
