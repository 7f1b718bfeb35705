import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { knownKeys } from "./schema/knownKeys.js";
import { KEY_TEXTS } from "./schema/keyTexts.js";
import { MIGRATIONS } from "./migrations/index.js";
import { FORMAT_VERSION, jsonSchema, parseTopology, printTopology } from "./index.js";

const page = readFileSync(new URL("../../../../docs/topology.md", import.meta.url), "utf8");

it("docs/topology.md shows a document that reads, in the bytes that are printed", () => {
  const example = /```json\n([^]*?)```/.exec(page)?.[1] ?? "";
  const { topology, problems } = parseTopology(example);
  expect(problems).toEqual([]);
  expect(topology && printTopology(topology)).toBe(example);
});

it("docs/topology.md names every key of the format", () => {
  const table = page.slice(page.indexOf("## Keys"));
  const objects = [
    "",
    "messages.*",
    "enums.*",
    "services.*",
    "flows.*",
    "flows.*.stages.*",
    "bundles.*",
    "binaries.*",
    "binaries.*.pools.*",
  ];
  const keys = objects.flatMap((path) =>
    knownKeys(path === "" ? [] : path.split(".").map((part) => (part === "*" ? 0 : part))),
  );
  expect(keys.length).toBeGreaterThan(40);
  const missing = keys.filter((key) => key !== "doc" && !new RegExp(`[*\`]${key}[*\`]`).test(table));
  expect(missing).toEqual([]);
});

it("there is a migration from every older version, one step each, and the page says what it changes", () => {
  expect(MIGRATIONS.map(({ from }) => from)).toEqual(
    Array.from({ length: FORMAT_VERSION - 1 }, (_, before) => before + 1),
  );
  for (const { title } of MIGRATIONS) expect(page).toContain(title);
});

it("the JSON Schema is plain data that closes every object", () => {
  const schema = jsonSchema() as {
    properties: Record<string, unknown>;
    required: string[];
    additionalProperties: boolean;
  };
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(Object.keys(schema.properties)).toEqual([...knownKeys([])]);
  expect(schema.required).toEqual(["penstock", "name"]);
  expect(schema.additionalProperties).toBe(false);
  // A text whose key is gone would be shown nowhere.
  const shown = new Set(JSON.stringify(schema).match(/"description":"(?:[^"\\\\]|\\\\.)*"/g));
  for (const text of Object.values(KEY_TEXTS))
    expect(shown).toContain(`"description":${JSON.stringify(text)}`);
});
