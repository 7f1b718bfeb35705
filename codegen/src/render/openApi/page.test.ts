import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { GOLDEN_FOLDER } from "../../../test/support/project.js";
import type { Schema } from "./messageSchemas.js";
import { TWIRP_CODES } from "./twirp.js";

/** What the page of a binary reads the document with: plain JavaScript, which the runtime carries. */
interface PageScript {
  sample: (schema: Schema, schemas: Record<string, Schema>) => unknown;
  plain: (text?: string) => string;
  typeWords: (schema: Schema) => (string | { name: string })[];
  reached: (name: string, schemas: Record<string, Schema>) => string[];
  parted: (description: string) => { about: string; how: string };
  choices: (schema: Schema) => string[][];
  shellWord: (text: string) => string;
}
const root = new URL("../../../../", import.meta.url);
const script = new URL("runtime-cpp/penstock/edge/page/schema.js", root).href;
const page = (await import(script)) as PageScript;

interface Document {
  info: { description: string };
  components: { schemas: Record<string, Schema> };
}
const golden = (path: string) => JSON.parse(readFileSync(`${GOLDEN_FOLDER}${path}`, "utf8")) as Document;
const { components } = golden("all-types/generated/openapi/both.json");
const { schemas } = components;
const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

describe("the page of a binary", () => {
  test.each(Object.keys(schemas).filter((name) => name !== "twirp.Error"))(
    "begins with a request that is a %s",
    (name) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema({ $id: "http://a/", components });
      const value = page.sample(refTo(name), schemas);
      const isValid = ajv.validate({ $ref: `http://a/#/components/schemas/${name}` }, value);
      expect(isValid ? [] : [value, ajv.errors]).toEqual([]);
    },
  );

  test("begins with the fields that have a value where nothing is said, and the lists that must be there", () => {
    expect(page.sample(refTo("Coded"), schemas)).toEqual({
      sfixed: "0",
      sint: 0,
      slong: "0",
      fixed: 0,
      sints: [],
      fixeds: [],
      three: [0, 0, 0],
      apart: [],
    });
    expect(page.sample(refTo("Tree"), schemas)).toEqual({ label: "", children: [], branches: [] });
    expect(page.sample(refTo("Choice"), schemas)).toEqual({ aside: false, perSecond: 0 });
  });

  test("makes no request beyond use of messages that hold one another many times", () => {
    const many: Record<string, Schema> = { L0: { type: "object", properties: {} } };
    for (let level = 1; level < 40; ++level) {
      const held = { ...refTo(`L${level - 1}`), default: {} };
      many[`L${level}`] = { type: "object", properties: { a: held, b: held } };
    }
    expect(JSON.stringify(page.sample(refTo("L39"), many)).length).toBeLessThan(10_000);
  });

  test("says what fields are", () => {
    const words = (message: string, field: string) => page.typeWords(schemas[message]!.properties![field]!);
    expect(words("Scalars", "small")).toEqual(["int32"]);
    expect(words("Scalars", "large")).toEqual(["int64 as a string"]);
    expect(words("Scalars", "real")).toEqual(["float"]);
    expect(words("Scalars", "raw")).toEqual(["bytes in base64"]);
    expect(words("Scalars", "colour")).toEqual([{ name: "Colour" }]);
    expect(words("Lists", "inner")).toEqual(["list of ", { name: "Scalars" }]);
    expect(words("Arrays", "texts")).toEqual(["2 of ", "string"]);
    expect(words("Maps", "trees")).toEqual(["map to ", { name: "Maps" }]);
    expect(page.choices(schemas["Choice"]!)[0]).toEqual(["class", "number", "inner"]);
    expect(page.reached("Tree", schemas)).toEqual(["Tree", "Branch"]);
  });

  test("tells the drawing's words from how services are asked", () => {
    const { info } = golden("ads/generated/openapi/ads-server.json");
    expect(page.parted(info.description)).toEqual({
      about: "Best of several ads within 100 ms",
      how: expect.stringMatching(/^Services are asked by POST[^]* 16 MiB\.$/),
    });
    expect(page.parted("How").about).toBe("");
  });

  test("shows texts as they were typed, and quotes them for a shell", () => {
    expect(page.plain('\\<b\\> \\*/ "a" \\\\ 64\\-bit \\d')).toBe('<b> */ "a" \\ 64-bit \\d');
    expect(page.shellWord("it's $HOME `a`\n\\")).toBe("'it'\\''s $HOME `a`\n\\'");
  });
});

test("the codes of an error are those of docs/http.md", () => {
  const rows = readFileSync(new URL("docs/http.md", root), "utf8").matchAll(/^\| (\d{3}) +\| (.*) \|$/gm);
  const documented = [...rows].map(([, status = "", codes = ""]): [string, string[]] => [
    status,
    [...codes.replaceAll(/\([^)]*\)/g, "").matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => code).sort(),
  ]);
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.entries(TWIRP_CODES).map(([status, codes]) => [status, codes.toSorted()])),
  );
});
