import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectIdOf } from "../workspace/index.js";
import { TestServer } from "./testing/testServer.js";
import { realToolchain } from "./projects/toolchain.js";

const TOPOLOGY = {
  penstock: 1,
  name: "sent",
  messages: [{ name: "M", fields: [{ name: "id", type: "uint64", tag: 1 }] }],
  services: [{ name: "GetAd", request: "M", response: "M", node: { type: "bomb", settings: {} } }],
  bundles: [{ name: "All", services: ["GetAd"] }],
  binaries: [{ name: "app", bundles: ["All"] }],
};
const MANIFEST = {
  type: "bomb",
  title: "Greet",
  doc: "Greets.",
  icon: "bomb",
  category: "data",
  kind: "simple",
  roles: ["map"],
  ports: { request: { is: "any" }, response: { is: "request" }, calls: 0 },
  settings: {
    type: "object",
    properties: {
      word: { type: "string", title: "Word", default: "hello" },
      list: { type: "array", default: Array(200).fill(0) },
    },
    required: [],
  },
};
/** 1.2 kB whose text doubles with each of its 100 helpers. */
const BOMB = `{{cppString ${"(cppString ".repeat(100)}name${")".repeat(100)}}}`;

let server: TestServer;
let folder: string;
const project = projectIdOf("sent");
const path = (rest: string): string => `/api/projects/${project}${rest}`;
const handler = (text: string): Promise<void> => writeFile(join(folder, "nodes/bomb/handler.hbs"), text);
beforeAll(async () => {
  server = await TestServer.start({ toolchain: realToolchain });
  folder = join(server.workspace, "sent");
  await mkdir(join(folder, "nodes", "bomb"), { recursive: true });
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "topology.json"), JSON.stringify(TOPOLOGY));
  await writeFile(join(folder, "CMakeLists.txt"), "");
  await writeFile(join(folder, "nodes/bomb/node.json"), JSON.stringify(MANIFEST));
});
afterAll(() => server.stop());

const codesOf = (problems: { code: string }[]): string[] => problems.map(({ code }) => code);

// A template that is broken shows whether it was so much as compiled: nobody complains of this one.
test.each([
  ["a broken template", "{{#if}"],
  ["a template that grows without an end", BOMB],
])("should not run %s for a view, a check or a list of files", async (_, text) => {
  await handler(text);
  const files = await server.api("GET", path("/files"));
  expect(files.status).toBe(200);
  expect(files.json.map((file: { path: string }) => file.path)).toContain("CMakeLists.txt");
  const { topology } = (await server.api("GET", path(""))).json;
  expect(topology).toContain("bomb");
  const nodes = await server.api("GET", path("/nodes"));
  expect(nodes.json.problems).toEqual([]);
  expect(nodes.json.nodes.map(({ type }: { type: string }) => type)).toContain("bomb");
});

test("should generate with a stranger's templates only after the yes, within limits, and serve on", async () => {
  await handler(BOMB);
  const refused = await server.api("POST", path("/generate"), {});
  const { code, message } = refused.json.error;
  expect([refused.status, code, message]).toEqual([403, "untrusted", "This project is not trusted yet"]);
  await server.api("POST", path("/trust"), {});
  const generating = server.api("POST", path("/generate"), {});
  expect((await server.api("GET", path("/files"))).status).toBe(200);
  const { ok, problems } = (await generating).json;
  expect(ok).toBe(false);
  expect(codesOf(problems)).toContain("PS708");
  expect(problems.find(({ code }: { code: string }) => code === "PS708")).toMatchObject({
    file: "nodes/bomb/handler.hbs",
    message: expect.stringContaining("makes more than"),
  });
  await handler("// {{name}}\n");
  const answer = (await server.api("POST", path("/generate"), {})).json;
  expect(
    codesOf(answer.problems.filter(({ severity }: { severity: string }) => severity === "error")),
  ).toEqual([]);
  expect(answer.written).toContain("generated/services/get_ad.cpp");
});
