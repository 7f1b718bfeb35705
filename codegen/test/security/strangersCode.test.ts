import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestServer } from "../../src/server/testing/testServer.js";
import { realToolchain } from "../../src/server/toolchain.js";
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
