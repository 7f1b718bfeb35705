import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestServer } from "../testing/testServer.js";
import { TestSocket } from "../testing/testSocket.js";
import { until } from "../testing/until.js";

let server: TestServer;
beforeAll(async () => (server = await TestServer.start()));
afterAll(() => server.stop());

test("a drawing that something else changes on disk is told of, once, and one that is saved here as before", async () => {
  const project = await server.create("mine");
  const tab = await TestSocket.open(server, project);
  await tab.next("opened");
  const path = `/api/projects/${project}`;
  const file = join(server.workspace, "mine/topology.json");
  const told = () => tab.of("saved").map(({ revision }) => revision);
  const drawn = async () => (await server.api("GET", path)).json;
  const change = async (space: string): Promise<string> => {
    await writeFile(file, `${await readFile(file, "utf8")}${space}`);
    const { revision } = await drawn();
    await until("it is told of", () => told().includes(revision));
    return revision;
  };

  const changed = await change("\n");
  expect(told()).toEqual([changed]);
  const { topology, layout } = await drawn();
  const saved = await server.api("PUT", path, { topology, layout }, { "If-Match": `"${changed}"` });
  const again = await change("\n\n");
  expect(told()).toEqual([changed, saved.json.revision, again]);
  tab.close();
});
