import { expect, test } from "vitest";
import { planProject } from "../plan/index.js";
import { loadNodes } from "../nodes/index.js";
import { parseTopology } from "../model/topology/index.js";
import { ownNodeTexts, type TemplateLimits } from "./ownNodeTexts.js";
import type { NodeTexts } from "./nodeTexts.js";

/** What the templates of a project's own node make for its two services. */
function texts(
  templates: { handler: string; state?: string },
  limits: TemplateLimits = {},
): Promise<ReadonlyMap<string, NodeTexts>> {
  const { packages, palette } = loadNodes();
  const map = packages.get("map")!;
  const manifest = { ...map.manifest, type: "mine" };
  const { topology } = parseTopology(
    JSON.stringify({
      penstock: 1,
      name: "own",
      messages: [{ name: "M", fields: [{ name: "id", type: "uint64", tag: 1 }] }],
      services: ["One", "Two"].map((name) => ({ name, request: "M", response: "M", node: { type: "mine" } })),
    }),
  );
  const plan = planProject(topology!, "hash", "0.0.0", new Map([...palette, ["mine", manifest]]));
  // Ten seconds, as users have them, may be less than a busy machine needs to start a thread.
  const unhurried = { expired: new AbortController().signal, ...limits };
  return ownNodeTexts(plan, new Map([["mine", { ...templates, own: true }]]), unhurried);
}

/** Helpers in helpers: each of them doubles the backslashes of the one in it. */
const nested = (levels: number): string =>
  `{{cppString ${"(cppString ".repeat(levels)}name${")".repeat(levels)}}}`;

test("should render the templates of each service with its own names", async () => {
  const made = await texts({ handler: "{{name}} in {{file}}", state: "{{type}}" });
  expect([...made]).toEqual([
    ["One", { handler: "One in generated/services/one.cpp", state: "::own::One" }],
    ["Two", { handler: "Two in generated/services/two.cpp", state: "::own::Two" }],
  ]);
});

test("should name the template whose text grows without an end, however its helpers are nested", async () => {
  const handler = `${nested(90)}\n`;
  expect(handler.length).toBeLessThan(1_200);
  await expect(texts({ handler })).rejects.toMatchObject({
    type: "mine",
    file: "handler.hbs",
    message: "it makes more than 1000000 characters",
    isTooMuch: false,
  });
  await expect(texts({ handler: "", state: nested(400) })).rejects.toMatchObject({ file: "state.hbs" });
});

test("should end templates when their time is over, and name the one that ran then", async () => {
  await expect(texts({ handler: "", state: "" }, { expired: AbortSignal.abort() })).rejects.toMatchObject({
    type: "mine",
    file: "state.hbs",
    message: "it takes too long",
    isTooMuch: true,
  });
});

test("should end templates that take more memory than they may, and go on", async () => {
  const handler = "{{name}}".repeat(30_000);
  await expect(texts({ handler }, { memoryMb: 64 })).rejects.toMatchObject({
    file: "handler.hbs",
    message: "it takes more than 64 MB",
    isTooMuch: true,
  });
  expect((await texts({ handler: "still {{name}}" })).get("One")?.handler).toBe("still One");
});
