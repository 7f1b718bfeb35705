import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeSources, generateProject, loadProject } from "../pipeline.js";
import { projectNodes } from "../projectNodes.js";
import { parseTopology, printTopology, topologyHash } from "../model/topology/index.js";
import { standardNodes } from "./index.js";
import { refreshed } from "./nodesPage.js";

/** A node of the project's own: greets. */
const MANIFEST = {
  type: "greet",
  title: "Greet",
  doc: "Greets.",
  icon: "greet",
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
const HANDLER = `#include "{{header}}"

namespace {{project}} {

{{handleHead}}
  auto response = request;
  response.text = {{cppString settings.word}};
  return response;
}

}  // namespace {{project}}
`;
const TOPOLOGY = {
  penstock: 1,
  name: "own",
  messages: [{ name: "Note", fields: [{ name: "text", type: "string", tag: 1 }] }],
  services: [
    { name: "Hello", request: "Note", response: "Note", node: { type: "greet", settings: { word: 'a"b' } } },
  ],
};

let dir = "";
const write = (path: string, content: unknown): void => {
  mkdirSync(`${dir}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
  writeFileSync(`${dir}/${path}`, typeof content === "string" ? content : JSON.stringify(content));
};
const messages = (): string[] => projectNodes(dir).problems.map(({ code, message }) => `${code} ${message}`);

beforeEach(() => {
  dir = mkdtempSync(`${tmpdir()}/penstock-nodes-`);
  write("topology.json", TOPOLOGY);
  write("nodes/greet/node.json", MANIFEST);
  write("nodes/greet/handler.hbs", HANDLER);
});
afterEach(() => rmSync(dir, { recursive: true }));

describe("standard nodes", () => {
  test("are whole, with a page each", () => {
    const nodes = standardNodes();
    expect(nodes.size).toBeGreaterThanOrEqual(12);
    for (const [type, { manifest, documentation, own }] of nodes) {
      expect({ type, own }).toEqual({ type: manifest.type, own: false });
      expect(documentation, type).toMatch(/\S/);
    }
  });

  test("are in docs/nodes.md as their manifests say (npx tsx codegen/tools/writePages.ts)", () => {
    const page = readFileSync(new URL("../../../docs/nodes.md", import.meta.url), "utf8");
    expect(page).toBe(refreshed(page));
  });
});

describe("a drawing with nodes", () => {
  const golden = readFileSync(new URL("../../test/golden/nodes/topology.json", import.meta.url), "utf8");

  test("is read and printed byte for byte", () => {
    expect(printTopology(parseTopology(golden).topology!)).toBe(golden);
  });

  test("means something else when a setting changes, whatever its name", () => {
    const hashOf = (fields: Record<string, string>): string => {
      const topology = parseTopology(golden).topology!;
      topology.services[2]!.node!.settings["fields"] = fields;
      return topologyHash(topology);
    };
    expect(hashOf({ doc: "1" })).not.toBe(hashOf({ doc: "2" }));
  });

  test("leads each line of an expression, and what follows it, to its own number", async () => {
    write("topology.json", {
      ...TOPOLOGY,
      services: [
        {
          name: "Big",
          request: "Note",
          node: { type: "filter", settings: { condition: 'request.text\n  != ""' } },
        },
      ],
    });
    expect((await generateProject(dir)).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    const lines = readFileSync(`${dir}/generated/services/big.cpp`, "utf8").split("\n");
    const mark = lines.indexOf('#line 1 "topology.json#services/Big/node/settings/condition"');
    expect(lines.slice(mark + 1, mark + 3)).toEqual(["      request.text", '        != "";']);
    // Line numbers count from 1: the line behind the mark has the number in it.
    expect(lines[mark + 3]).toBe(`#line ${mark + 5} "generated/services/big.cpp"`);
    expect(lines[mark + 4]).toBe("  return ::penstock::keep_if(keep);");
  });
});

describe("a project's own node", () => {
  test("is used like a standard one", async () => {
    expect(messages()).toEqual([]);
    const { ok, problems, written } = await generateProject(dir);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(ok).toBe(true);
    expect(written).toContain("generated/services/hello.cpp");
    expect(written.filter((path) => /^(src|tests|bench)\//.test(path))).toEqual([]);
  });

  test("sees the default of a setting that does not count, whatever is drawn", async () => {
    const properties = {
      ...MANIFEST.settings.properties,
      how: { type: "string", enum: ["said", "silent"], default: "silent" },
      word: { type: "string", default: "hello", when: { how: "said" } },
    };
    const settings = { ...MANIFEST.settings, properties };
    const inner = { ...settings, default: {} };
    const both = { ...settings, properties: { ...properties, inner } };
    write("nodes/greet/node.json", { ...MANIFEST, settings: both });
    write("nodes/greet/handler.hbs", "{{settings.word}} {{settings.inner.word}}");
    const greeting = async (...[outer, within]: { how?: string; word: unknown }[]): Promise<string> => {
      const node = { type: "greet", settings: { ...outer, inner: within } };
      write("topology.json", { ...TOPOLOGY, services: [{ ...TOPOLOGY.services[0], node }] });
      expect((await generateProject(dir)).ok).toBe(true);
      return readFileSync(`${dir}/generated/services/hello.cpp`, "utf8");
    };
    expect(await greeting({ how: "said", word: "hi" }, { how: "said", word: "ho" })).toBe("hi ho");
    expect(await greeting({ word: "hi" }, { word: "ho" })).toBe("hello hello");
    expect(await greeting({ word: 5 }, { word: 5 })).toBe("hello hello");
  });

  test.each([
    ["without handler", () => rmSync(`${dir}/nodes/greet/handler.hbs`), "PS708", "has no handler.hbs"],
    ["without manifest", () => rmSync(`${dir}/nodes/greet/node.json`), "PS707", "has no node.json"],
    [
      "of another type",
      () => write("nodes/greet/node.json", { ...MANIFEST, type: "meet" }),
      "PS707",
      '"meet"',
    ],
    [
      "with an unknown key",
      () => write("nodes/greet/node.json", { ...MANIFEST, colour: 1 }),
      "PS707",
      "colour",
    ],
    ["whose manifest is no JSON", () => write("nodes/greet/node.json", "{"), "PS707", "no JSON"],
    [
      "whose kind hangs on nothing",
      () => write("nodes/greet/node.json", { ...MANIFEST, kind: { setting: "x", of: { a: "simple" } } }),
      "PS707",
      '"x"',
    ],
    [
      "that requires what is no setting",
      () =>
        write("nodes/greet/node.json", { ...MANIFEST, settings: { ...MANIFEST.settings, required: ["x"] } }),
      "PS707",
      '"x"',
    ],
    ["of 300,000 characters", () => write("nodes/greet/handler.hbs", "x".repeat(300_000)), "PS707", "262144"],
  ] as const)("%s is refused", async (_, spoil, code, words) => {
    spoil();
    expect(messages()).toEqual([expect.stringMatching(new RegExp(`^${code} .*${words}`))]);
    // And nothing is generated from it.
    expect((await generateProject(dir)).written).toEqual([]);
    expect((await loadProject(dir)).problems.map((problem) => problem.code)).toContain("PS320");
  });

  test("may not have the name of a standard one", () => {
    write("nodes/filter/node.json", { ...MANIFEST, type: "filter" });
    expect(messages()).toEqual(['PS709 The project\'s own node "filter" has the name of a standard one']);
  });

  test("is no file with a dot in its name", () => {
    write("nodes/README.md", "What our nodes do");
    write("nodes/.gitkeep", "");
    expect(messages()).toEqual([]);
  });

  test("is not looked for behind a link", () => {
    rmSync(`${dir}/nodes`, { recursive: true });
    symlinkSync("/tmp", `${dir}/nodes`);
    expect(messages()).toEqual([expect.stringContaining("PS703 nodes is a symbolic link")]);
  });

  test.each([
    ["a partial", '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', "decorators"],
    ["a partial by name", "{{> header}}", "partials"],
    ["a helper that there is not", "{{readFile '/etc/passwd'}}", "readFile"],
    ["a name that there is not", "{{settings.wrod}}", "wrod"],
    ["a way out of its values", "{{settings.constructor.constructor}}", "constructor"],
    ["a broken tag", "{{#if}", "Parse error"],
    [
      "loops without an end",
      `${"{{#each @root.settings.list}}".repeat(4)}${"{{/each}}".repeat(4)}`,
      "goes round more than 100000 times",
    ],
    [
      "a text without an end",
      `{{#each settings.list}}{{#each @root.settings.list}}${"x".repeat(9000)}{{/each}}{{/each}}`,
      "more than 1000000 characters",
    ],
  ])("with %s in its template is refused", async (_, template, words) => {
    write("nodes/greet/handler.hbs", `${HANDLER}${template}`);
    const { ok, problems, written } = await generateProject(dir);
    expect({ ok, written }).toEqual({ ok: false, written: [] });
    const found = problems.find(({ code }) => code === "PS708");
    expect(found).toMatchObject({ file: "nodes/greet/handler.hbs", message: expect.stringContaining(words) });
  });
});

describe("handlers of standard nodes", () => {
  const LANE = { name: "lane", type: "Lane", tag: 2 };
  const ORDER = {
    name: "Order",
    fields: [
      { name: "id", type: "uint64", tag: 1 },
      LANE,
      { name: "note", type: "string", tag: 3 },
      { name: "count", type: "int32", tag: 4, optional: true },
      { name: "other", type: "Lane", tag: 5, optional: true },
    ],
  };
  const draw = (node: unknown, response = "Order", more: Record<string, unknown> = {}): void =>
    write("topology.json", {
      ...TOPOLOGY,
      messages: [
        { ...ORDER, fields: ORDER.fields.filter(({ name }) => response !== "One" || name !== "other") },
        { name: "One", fields: [{ name: "id", type: "uint64", tag: 1 }, LANE] },
        { name: "List", fields: [{ name: "all", type: "One", tag: 1, repeated: true }] },
      ],
      enums: [{ name: "Lane", values: ["SLOW", "FAST"].map((name, number) => ({ name, number })) }],
      services: [{ name: "Work", request: "Order", response, kind: kindOf(node), node }],
      bundles: [{ name: "All", services: ["Work"], flows: more["flows"] === undefined ? [] : ["F"] }],
      binaries: [{ name: "works", bundles: ["All"], pools: [{ name: "main", threads: [{}, {}] }] }],
      ...more,
    });
  const kindOf = (node: unknown): string =>
    ({ "sql-query": "sync-remote", "http-request": "async-remote" })[(node as { type: string }).type] ??
    "simple";
  const handler = async (): Promise<string> => {
    const { problems } = await generateProject(dir);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    return readFileSync(`${dir}/generated/services/work.cpp`, "utf8");
  };

  test("a branch decides a field that its event has, too", async () => {
    draw(
      { type: "branch", settings: { cases: [{ when: "request.id > 1", value: "FAST" }], otherwise: "SLOW" } },
      "One",
    );
    const text = await handler();
    expect(text).toContain("response.lane = ");
    expect(text).not.toContain("response.lane = request.lane");
  });

  test("a field that a setting names which does not count is copied", async () => {
    const settings = { url: "http://h/", answer: "nothing", text: "note" };
    draw({ type: "http-request", settings });
    expect(await handler()).toMatch(/response\.note = (std::move\()?request\.note/);
    // And it may name what is gone.
    draw({ type: "http-request", settings: { ...settings, text: "gone", json: 5 } });
    expect(await handler()).toMatch(/response\.note = (std::move\()?request\.note/);
  });

  test.each(["optional", "repeated"])("a field that is said not to be %s is copied", async (key) => {
    const fields = [{ name: "id", type: "uint64", tag: 1 }];
    draw({ type: "map" }, "Same", {
      messages: [
        { name: "Order", fields: fields.map((field) => ({ ...field, [key]: false })) },
        { name: "Same", fields },
      ],
      enums: [],
    });
    expect(await handler()).toContain("  response.id = request.id;");
  });

  const NEXT = { name: "next", type: "Order", tag: 2, optional: true };
  const MANY = { name: "many", type: "string", tag: 2, repeated: true };
  test.each([
    ["a list and a map", MANY, { ...MANY, key: "int32" }, false],
    ["maps with different keys", { ...MANY, key: "int64" }, { ...MANY, key: "int32" }, false],
    [
      "maps whose keys are only encoded differently",
      { ...MANY, key: "sint32" },
      { ...MANY, key: "int32" },
      true,
    ],
    ["an optional of the message itself and another's", NEXT, NEXT, false],
  ])("of %s one is copied into the other where C++ does", async (_, from, to, isCopied) => {
    draw({ type: "map" }, "Same", {
      messages: [
        { name: "Order", fields: [{ name: "id", type: "uint64", tag: 1 }, from] },
        { name: "Same", fields: [{ name: "id", type: "uint64", tag: 1 }, to] },
      ],
      enums: [],
    });
    const text = await handler();
    expect(text).toContain("  response.id = request.id;");
    expect(text.includes(`response.${from.name} =`)).toBe(isCopied);
  });

  const TROUBLE = { name: "Trouble", fields: [{ name: "code", type: "int32", tag: 1 }] };
  const drawOf = (request: string, response: string, node: unknown, kind = kindOf(node)): void =>
    draw(node, response, {
      messages: [TROUBLE],
      services: [{ name: "Work", request, response, kind, node }],
    });

  test.each([
    ["Failure", "Trouble", "static_cast<std::int32_t>(request.code)"],
    ["Trouble", "Failure", "static_cast<::penstock::ErrorCode>(request.code)"],
    ["Failure", "Failure", "request.code"],
    ["Trouble", "Trouble", "request.code"],
  ])("the code of a %s is copied to a %s as C++ has it there", async (request, response, code) => {
    for (const node of [
      { type: "map" },
      { type: "http-request", settings: { url: "http://h/", answer: "nothing" } },
      { type: "sql-query", settings: { mode: "row", sql: "SELECT 1", whenNone: "go on" } },
    ]) {
      drawOf(request, response, node);
      expect(await handler()).toContain(`  response.code = ${code};`);
    }
  });

  test("the code of a failure is a key, is compared and is made up as what it is in C++", async () => {
    const settings = { key: "code", greatest: { code: "code" } };
    drawOf("Failure", "Trouble", { type: "window", settings }, "async-remote");
    expect(await handler()).toContain("std::max(window.code, static_cast<std::int32_t>(request.code))");
    expect(readFileSync(`${dir}/generated/services/work.state.hpp`, "utf8")).toContain(
      "Windows<::penstock::ErrorCode, ::own::Trouble>",
    );
    drawOf("Trouble", "Failure", { type: "random", settings: { fields: { code: { uniform: [1, 6] } } } });
    expect(await handler()).toMatch(
      /response\.code =\s+static_cast<::penstock::ErrorCode>\(::penstock::nodes::uniform<std::int32_t>\(1, 6\)\);/,
    );
  });

  test.each([
    [{ count: "code" }, "/*request*/"],
    [{}, "/*request*/"],
    [{ key: "note" }, "request"],
    [{ sum: { code: "id" } }, "request"],
  ])("a window with %j has no parameter that it does not use", async (settings, request) => {
    draw({ type: "window", settings }, "Trouble", {
      messages: [ORDER, TROUBLE],
      services: [
        {
          name: "Work",
          request: "Order",
          response: "Trouble",
          kind: "async-remote",
          node: { type: "window", settings },
        },
      ],
    });
    const text = await handler();
    expect(text).toContain(`const ::own::Order& ${request}) {`);
    expect(text).toContain("[&]([[maybe_unused]] auto& window, [[maybe_unused]] std::uint64_t count) {");
  });

  test("optional fields are made like others", async () => {
    const fields = { count: { uniform: [1, 6] }, other: { choice: ["FAST"] } };
    draw({ type: "random", settings: { fields } });
    const text = await handler();
    expect(text).toContain("uniform<std::int32_t>(1, 6)");
    expect(text).toContain("::own::Lane::FAST");
    expect(text).not.toContain("std::optional");
  });

  test("what is chosen from is a table that the compiler makes", async () => {
    const fields = { id: { choice: [1, 2] }, note: { choice: ["a", "b"] }, lane: { choice: ["FAST"] } };
    draw({ type: "random", settings: { fields: { ...fields, count: { choice: [-1] } } } });
    const text = await handler();
    for (const [name, table] of [
      ["id", "std::to_array<std::uint64_t>({1U, 2U})"],
      ["note", 'std::to_array<std::string_view>({"a", "b"})'],
      ["lane", "std::to_array<::own::Lane>({::own::Lane::FAST})"],
      ["count", "std::to_array<std::int32_t>({-1})"],
    ] as const) {
      expect(text).toContain(`  static constexpr auto choices_${name} = ${table};\n`);
      expect(text).toContain(`  response.${name} = ::penstock::nodes::choice(choices_${name});\n`);
    }
    drawOf("Trouble", "Failure", { type: "random", settings: { fields: { code: { choice: [1, 2] } } } });
    expect(await handler()).toContain(
      "  static constexpr auto choices_code = std::to_array<std::int32_t>({1, 2});\n",
    );
  });

  test("rows go into a list of messages only", async () => {
    draw({ type: "sql-query", settings: { mode: "rows", rows: "id", sql: "SELECT 1" } }, "One");
    expect((await generateProject(dir)).problems).toMatchObject([
      { code: "PS324", pointer: "/services/0/node/settings/rows" },
    ]);
    draw({ type: "sql-query", settings: { mode: "rows", rows: "all", sql: "SELECT 1 AS id" } }, "List");
    await handler();
  });

  test("a failure is no column of a row", async () => {
    const fields = [
      { name: "id", type: "uint64", tag: 1 },
      { name: "why", type: "Failure", tag: 2 },
    ];
    draw({ type: "sql-query", settings: { mode: "rows", rows: "all", sql: "SELECT 1 AS id" } }, "List", {
      messages: [
        ORDER,
        { name: "Row", fields },
        { name: "List", fields: [{ name: "all", type: "Row", tag: 1, repeated: true }] },
      ],
    });
    expect(await handler()).toContain("result.fill(row.id);");
  });

  test.each([[{ id: null }], [{ id: { uniform: 5 } }], [{ id: 5 }], [{ id: { choice: 5 } }]])(
    "files are listed although %j makes no field",
    async (event) => {
      draw({ type: "random", settings: { fields: event } }, "Order", {
        flows: [
          {
            name: "F",
            event: "Order",
            source: { kind: "rate", perSecond: 1, event },
            stages: [{ id: "a", service: "Work" }],
          },
        ],
      });
      const { topology } = parseTopology(readFileSync(`${dir}/topology.json`, "utf8"));
      write("generated/messages.hpp", "");
      expect((await describeSources(dir, topology!)).map(({ path }) => path)).toContain(
        "generated/messages.hpp",
      );
    },
  );
});
