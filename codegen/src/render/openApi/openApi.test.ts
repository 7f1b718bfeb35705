import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { GOLDEN_FOLDER } from "../../../test/support/project.js";
import { parseTopology, topologyHash, topologySchema, type Topology } from "../../model/topology/index.js";
import { planProject } from "../../plan/planProject.js";
import { openApi } from "./openApi.js";
import type { Schema } from "./messageSchemas.js";

interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, { post: { operationId: string; description?: string } }>;
  security: Record<string, string[]>[];
  components: { schemas: Record<string, Schema>; securitySchemes?: Record<string, object> };
}

function documentOf(topology: Topology): Document {
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  // As it is read: what is undefined is not there.
  return JSON.parse(JSON.stringify(openApi(plan, plan.binaries[0]!))) as Document;
}

const golden = (name: string): Topology =>
  parseTopology(readFileSync(`${GOLDEN_FOLDER}${name}/topology.json`, "utf8")).topology!;

/** Whether JSON is a message of the document. */
function judge({ components }: Document): (message: string, value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "http://a/", components });
  return (message, value) => ajv.validate({ $ref: `http://a/#/components/schemas/${message}` }, value);
}

const TEXT = '<script>alert(1)</script> */ "a" `b` [c](d) \\';
const drawn = (more: object): Topology =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    doc: TEXT,
    messages: [
      { name: "Order", doc: TEXT, fields: [{ name: "order_id", type: "int64", tag: 1, doc: TEXT }] },
      { name: "Unused" },
    ],
    services: [
      { name: "Price", request: "Order", response: "Order", doc: TEXT, deadlineMs: 250 },
      { name: "Note", request: "Order" },
    ],
    bundles: [
      { name: "Prices", services: ["Price", "Note"], doc: TEXT },
      { name: "More", services: ["Price"] },
    ],
    binaries: [
      {
        name: "prices",
        bundles: ["Prices", "More"],
        http: "127.0.0.1:0",
        expose: ["Price", "Note"],
        ...more,
      },
    ],
  });

describe("the document of a binary", () => {
  test.each([
    ["all types", golden("all-types")],
    ["flows from every source", golden("sources")],
    ["texts that are markup", drawn({})],
    ["routes without prefix", drawn({ http: { address: "127.0.0.1:0", prefix: "" } })],
    ["a token", drawn({ http: { address: "127.0.0.1:0", auth: "bearer" } })],
  ])("is OpenAPI 3.1 by the official schema: %s", async (_, topology) => {
    const validator = new Validator();
    const result = await validator.validate(documentOf(topology) as unknown as Record<string, unknown>);
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("says that a token is asked for, where one is", () => {
    const { security, components } = documentOf(drawn({ http: { address: "127.0.0.1:0", auth: "bearer" } }));
    expect(security).toEqual([{ token: [] }]);
    expect(components.securitySchemes).toMatchObject({ token: { type: "http", scheme: "bearer" } });
    const open = documentOf(drawn({ http: { address: "0.0.0.0:80", auth: "none", tls: "off" } }));
    expect(open.security).toEqual([]);
    expect(open.components.securitySchemes).toBeUndefined();
  });

  test("has every route, each with a name of its own, and the messages that they reach", () => {
    const { paths, tags, components, info } = documentOf(drawn({}));
    expect(Object.entries(paths).map(([path, { post }]) => [path, post.operationId])).toEqual([
      ["/twirp/shop.Prices/Price", "Prices_Price"],
      ["/twirp/shop.More/Price", "More_Price"],
      ["/twirp/shop.Prices/Note", "Prices_Note"],
    ]);
    expect(tags.map(({ name }) => name)).toEqual(["Prices", "More"]);
    expect(Object.keys(components.schemas)).toEqual(["Order", "twirp.Error"]);
    expect(info).toMatchObject({ title: "shop prices", version: expect.stringMatching(/^[0-9a-f]{12}$/) });
  });

  test("has texts of the drawing as Markdown without markup", () => {
    const { info, paths, tags, components } = documentOf(drawn({}));
    const escaped = '\\<script\\>alert(1)\\</script\\> \\*/ "a" \\`b\\` \\[c\\](d) \\\\';
    expect(info.description.split("\n")[0]).toBe(escaped);
    expect(tags[0]!.description).toBe(escaped);
    expect(paths["/twirp/shop.Prices/Price"]!.post.description).toBe(
      `${escaped}\nEnds after 250 ms at the latest.`,
    );
    expect(components.schemas["Order"]!.properties!["orderId"]!.description).toBe(escaped);
  });
});

describe("the schema of a message", () => {
  const isValid = judge(documentOf(golden("all-types")));

  test.each<[string, unknown, boolean]>([
    ["Scalars", {}, true],
    ["Scalars", { newer: 1 }, true],
    ["Scalars", { large: "-9223372036854775808", ularge: "18446744073709551615" }, true],
    ["Scalars", { large: 1 }, false],
    ["Scalars", { ularge: "-1" }, false],
    ["Scalars", { small: -2147483648, usmall: 4294967295 }, true],
    ["Scalars", { small: 2147483648 }, false],
    ["Scalars", { usmall: -1 }, false],
    ["Scalars", { small: 0.5 }, false],
    ["Scalars", { real: 0.5, wide: "-Infinity" }, true],
    ["Scalars", { wide: "0.5" }, false],
    ["Scalars", { raw: "AAE=", handled: "" }, true],
    ["Scalars", { raw: [1] }, false],
    ["Scalars", { flag: "true" }, false],
    ["Scalars", { colour: "COLOUR_GREEN" }, true],
    ["Scalars", { colour: "GLARING" }, true],
    ["Scalars", { colour: 77 }, true],
    ["Scalars", { colour: "GREEN" }, false],
    ["Lists", { larges: ["1"], inner: [{ flag: true }] }, true],
    ["Lists", { larges: [1] }, false],
    ["Lists", { inner: [{ flag: 1 }] }, false],
    ["Tree", { children: [{ children: [{ label: "a" }] }], branch: { tree: {} } }, true],
    ["Tree", { children: [{ children: [{ label: 1 }] }] }, false],
    ["Coded", { three: [1, 2, 3] }, true],
    ["Coded", { three: [1, 2] }, false],
    ["Coded", {}, false],
    ["Maps", { texts: { "": "a" }, numbers: { "-1": 2 }, flags: { true: "AA==" }, colours: { 1: 5 } }, true],
    ["Maps", { numbers: { a: 2 } }, false],
    ["Maps", { flags: { yes: "" } }, false],
    ["Maps", { colours: { "-1": 5 } }, false],
    ["Maps", { trees: { 1: { trees: { 2: [] } } } }, false],
    ["Choice", { class: "a", oneMemberWithALongName: "" }, true],
    ["Choice", { class: "a", number: "1" }, false],
    ["Choice", { inner: { class: "a", inner: {} } }, false],
    ["Failure", { code: 5, message: "a" }, true],
    ["twirp.Error", { code: "not_found", msg: "a", meta: { a: "b" } }, true],
    ["twirp.Error", { code: "not found", msg: "a" }, false],
  ])("%s %j: %s", (message, value, expected) => {
    expect(isValid(message, value)).toBe(expected);
  });

  test("says what a field is that is left out, and nothing of one that is nothing then", () => {
    const { schemas } = documentOf(golden("all-types")).components;
    const starts = (name: string) => Object.values(schemas[name]!.properties!).map((field) => field.default);
    expect(starts("Scalars")).toEqual([false, 0, "0", 0, "0", 0, 0, "", "", "", "COLOUR_RED"]);
    expect(new Set(starts("Maybes"))).toEqual(new Set([undefined]));
    expect(schemas["Lists"]!.properties!["inner"]!.default).toEqual([]);
    expect(schemas["Maps"]!.properties!["texts"]!.default).toEqual({});
    expect(schemas["Everything"]!.properties!["scalars"]!.default).toEqual({});
  });
});
