import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ConfinedFolder } from "../../src/disk/index.js";
import { TestServer } from "../../src/server/testing/testServer.js";
import { realToolchain } from "../../src/server/projects/toolchain.js";
import { projectIdOf } from "../../src/workspace/index.js";

/** Handlers are read beside the drawing before anybody said yes: whatever is in them, the server goes on. */

const TOPOLOGY = {
  penstock: 1,
  name: "sent",
  messages: [{ name: "M", fields: [{ name: "id", type: "uint64", tag: 1 }] }],
  services: [{ name: "GetAd", request: "M", response: "M" }],
  bundles: [{ name: "All", services: ["GetAd"] }],
  binaries: [{ name: "app", bundles: ["All"] }],
};
const HANDLER = "src/services/get_ad.cpp";

let server: TestServer;
let folder: string;
const path = (rest: string): string => `/api/projects/${projectIdOf("sent")}${rest}`;
beforeAll(async () => {
  server = await TestServer.start({ toolchain: realToolchain });
  folder = join(server.workspace, "sent");
  await mkdir(join(folder, "src", "services"), { recursive: true });
  await mkdir(join(folder, "generated"));
  await writeFile(join(folder, "topology.json"), JSON.stringify(TOPOLOGY));
});
afterAll(() => server.stop());

/** Looks at the project in each way that no yes is needed for, and gives what is said of its handler. */
async function look(): Promise<{ files: { path: string; written: boolean }[]; problems: string[] }> {
  const files = await server.api("GET", path("/files"));
  const handlers = await server.api("GET", path("/handlers"));
  const generated = await server.api("POST", path("/generate"), {});
  expect([files.status, handlers.status, generated.status, generated.json.ok]).toEqual([200, 200, 200, true]);
  return {
    files: files.json,
    problems: handlers.json.problems.map(({ message }: { message: string }) => message),
  };
}

// Each of them was looked at for minutes to hours.
test.each([
  ["escaped quotes without an end", `"${'\\"'.repeat(400_000)}`],
  ["escaped ticks without an end", `'${"\\'".repeat(400_000)}`],
  ["blanks for a parameter", `::handle(${" ".repeat(900_000)}`],
  ["as many wrong fields as fit", "M GetAd::handle(const M& request) {}".padEnd(900_000, ";request.x")],
])("should look at a stranger's handler of %s and serve on", async (_, text) => {
  await writeFile(join(folder, HANDLER), text);
  const { files, problems } = await look();
  expect(files).toContainEqual(expect.objectContaining({ path: HANDLER, written: true }));
  expect(problems).toEqual([]);
});

test("should not read a handler that is longer than any person's", async () => {
  await writeFile(join(folder, HANDLER), "M GetAd::handle(const M& request) { request.x; }\n");
  expect((await look()).problems).toHaveLength(1);
  await truncate(join(folder, HANDLER), 15_000_000);
  expect((await look()).problems).toEqual([]);
});

// So many held it for minutes, and made an answer of 90 MB.
test.each([
  ["names one file again and again", Array<string>(500_000).fill(HANDLER)],
  ["names more files than there can be", Array.from({ length: 900_000 }, (_, at) => `src/${at}`)],
])("should not follow a stranger's manifest that %s", async (_, sources) => {
  await writeFile(join(folder, HANDLER), "");
  await writeFile(join(folder, "generated/manifest.json"), JSON.stringify({ sources }));
  const { json } = await server.api("GET", path("/files"));
  const named = json.map((file: { path: string }) => file.path);
  expect(named.filter((name: string) => name === HANDLER)).toEqual([HANDLER]);
});

test("should not read the files of a stranger's nodes and sources when they are too long", async () => {
  const files = Array.from({ length: 40 }, (_, at) => [
    ...["node.json", "doc.md", "handler.hbs"].map((file) => `nodes/n${at}/${file}`),
    ...["source.json", "source.hpp", "doc.md"].map((file) => `sources/s${at}/${file}`),
  ]).flat();
  for (const file of files) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), "");
    await truncate(join(folder, file), 15_000_000);
  }
  const reads = vi.spyOn(ConfinedFolder.prototype, "read");
  const { json } = await server.api("GET", path("/nodes"));
  expect(
    reads.mock.results.filter(({ value }) => (value as string | undefined)?.length === 15_000_000),
  ).toEqual([]);
  expect(json.problems).toContainEqual(
    expect.objectContaining({
      file: "nodes/n0/node.json",
      message: 'The node "n0" has a node.json of more than 262144 characters',
    }),
  );
  vi.restoreAllMocks();
});
