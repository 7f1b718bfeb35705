import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { idleToolchain, TestServer } from "./testing/testServer.js";
import { TestSocket } from "./testing/testSocket.js";
import { topologyFormat } from "./projects/toolchain.js";

let server: TestServer;
let parsed: string[];
beforeEach(async () => {
  parsed = [];
  const parse: typeof topologyFormat.parse = (text) => {
    parsed.push(text);
    return topologyFormat.parse(text);
  };
  server = await TestServer.start({ toolchain: { ...idleToolchain, format: { ...topologyFormat, parse } } });
});
afterEach(() => server.stop());

/** All that a page asks when it opens a project: its document, its nodes, its socket, then its code. */
async function open(id: string): Promise<void> {
  const at = `/api/projects/${id}`;
  await Promise.all([server.api("GET", at), server.api("GET", `${at}/nodes`)]);
  const socket = await TestSocket.open(server, id);
  await socket.next("binaries");
  socket.close();
  await server.api("GET", `${at}/files`);
}

test("should parse a drawing once, however much of opening it asks what it says", async () => {
  const id = await server.create("mine");
  parsed = [];
  await open(id);
  expect(parsed).toHaveLength(1);
  await open(id);
  expect(parsed).toHaveLength(1);
});

test("should not parse what it has just saved, and parse what somebody else wrote", async () => {
  const id = await server.create("mine");
  const { revision, topology, layout } = (await server.api("GET", `/api/projects/${id}`)).json;
  const body = { topology: topology.replace('"name"', '"doc": "mine", "name"'), layout };
  await server.api("PUT", `/api/projects/${id}`, body, { "If-Match": `"${revision}"` });
  parsed = [];
  await open(id);
  expect(parsed).toEqual([]);
  const file = join(server.workspace, "mine/topology.json");
  await writeFile(file, (await readFile(file, "utf8")).replace("mine", "theirs"));
  await open(id);
  expect(parsed).toHaveLength(1);
});
