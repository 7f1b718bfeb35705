import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ListedProject } from "../contract/index.js";
import { registerBinary } from "../run/index.js";
import { takeBuildLock } from "../build/index.js";
import { TestServer } from "./testing/testServer.js";

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

const at = (id: string, more = ""): string => `/api/projects/${id}${more}`;
const listed = async (): Promise<ListedProject[]> => (await server.api("GET", "/api/projects")).json;
const names = async (): Promise<string[]> => (await listed()).map(({ name }) => name);
const inside = (...path: string[]): string => join(server.workspace, ...path);
/** One whose files, build and revisions can be told apart. */
async function filled(name: string): Promise<string> {
  const id = await server.create(name);
  await mkdir(inside(name, "src"));
  await writeFile(inside(name, "src/mine.cpp"), "// mine\n");
  await mkdir(inside(name, "build"));
  await writeFile(inside(name, "build/CMakeCache.txt"), inside(name));
  await symlink("/etc/passwd", inside(name, "src/elsewhere.cpp"));
  const { revision, topology, layout } = (await server.api("GET", at(id))).json;
  const saved = await server.api("PUT", at(id), { topology, layout }, { "If-Match": `"${revision}"` });
  expect(saved.status).toBe(200);
  return id;
}

test("should rename a project with its files and revisions, built anew under its new name", async () => {
  const id = await filled("mine");
  const before = (await server.api("GET", at(id, "/revisions"))).json;
  const { json, status } = await server.api("POST", at(id, "/rename"), { name: "yours" });
  expect([status, json.name, json.trusted]).toEqual([200, "yours", true]);
  expect(await names()).toEqual(["yours"]);
  expect(await readFile(inside("yours/src/mine.cpp"), "utf8")).toBe("// mine\n");
  expect(await readdir(inside("yours"))).not.toContain("build");
  expect(before).toHaveLength(1);
  expect((await server.api("GET", at(json.id, "/revisions"))).json).toEqual(before);
  expect((await server.api("GET", at(json.id))).json.topology).toContain('"mine"');
  expect((await server.api("GET", at(id))).status).toBe(404);
});

test("should copy a project's own files, and neither its build nor where links lead", async () => {
  const id = await filled("mine");
  const { json } = await server.api("POST", at(id, "/duplicate"), { name: "copy" });
  expect([json.name, json.trusted]).toEqual(["copy", true]);
  expect(await names()).toEqual(["copy", "mine"]);
  expect((await readdir(inside("copy"))).sort()).toEqual(["layout.json", "src", "topology.json"]);
  expect(await readdir(inside("copy/src"))).toEqual(["mine.cpp"]);
});

test("should keep what is deleted, revisions and all, so that it can be brought back", async () => {
  const id = await filled("mine");
  const { json, status } = await server.api("DELETE", at(id));
  expect(status).toBe(200);
  expect(await names()).toEqual([]);
  expect(json.kept).toContain(inside(".penstock/deleted/mine-"));
  expect(await readFile(join(json.kept, "src/mine.cpp"), "utf8")).toBe("// mine\n");
  expect((await stat(join(json.kept, "../records/revisions"))).isDirectory()).toBe(true);
  const again = await filled("mine");
  expect((await server.api("DELETE", at(again))).json.kept).not.toBe(json.kept);
});

test("should neither rename nor delete what runs, whoever started it, and list it as running", async () => {
  const id = await filled("mine");
  await registerBinary({
    project: inside("mine"),
    binary: "mine-server",
    replica: 1,
    pid: process.pid,
    group: process.pid,
    control: "127.0.0.1:1",
    http: null,
    token: "t",
    detached: true,
    startedAtMs: 0,
  });
  expect((await listed())[0]?.running).toEqual(["mine-server"]);
  for (const answer of [
    await server.api("DELETE", at(id)),
    await server.api("POST", at(id, "/rename"), { name: "yours" }),
  ])
    expect([answer.status, answer.json.error.code]).toEqual([409, "busy"]);
  expect(await names()).toEqual(["mine"]);
});

test("should neither rename nor delete what another process builds, until it has built it", async () => {
  const id = await filled("mine");
  await mkdir(inside("mine/build"), { recursive: true });
  const lock = await takeBuildLock(inside("mine"), "build");
  const rename = () => server.api("POST", at(id, "/rename"), { name: "yours" });
  for (const answer of [await server.api("DELETE", at(id)), await rename()]) {
    expect([answer.status, answer.json.error.code]).toEqual([409, "busy"]);
    expect(answer.json.error.message).toContain(`is being built by process ${process.pid}`);
  }
  expect(await names()).toEqual(["mine"]);
  await lock.release();
  expect((await rename()).status).toBe(200);
});

test.each(["rename", "duplicate"])("should refuse to %s to a name that is taken or none", async (verb) => {
  const id = await filled("mine");
  await server.create("taken");
  const answers = await Promise.all(
    ["taken", "../out", "Std", ""].map((name) => server.api("POST", at(id, `/${verb}`), { name })),
  );
  expect(answers.map(({ status }) => status)).toEqual([409, 400, 400, 400]);
  expect(await names()).toEqual(["mine", "taken"]);
});

test("should begin a project with a drawing that is brought along, not trusted yet", async () => {
  const topology = '{"penstock":1,"name":"theirs","messages":[{"name":"Word"}]}';
  const { json } = await server.api("POST", "/api/projects", { name: "mine", topology });
  expect([json.name, json.trusted]).toEqual(["mine", false]);
  expect((await server.api("GET", at(json.id))).json.topology).toContain('"Word"');
  const refused = await server.api("POST", "/api/projects", { name: "odd", topology: '{"penstock":1,"nam' });
  expect([refused.status, refused.json.error.code]).toEqual([400, "invalid"]);
  expect(refused.json.error.problems).not.toEqual([]);
  expect(await names()).toEqual(["mine"]);
});
