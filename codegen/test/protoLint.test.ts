import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { copyExample, GOLDEN_FOLDER, putTopology, temporaryFolder } from "./support/project.js";

const require = createRequire(import.meta.url);
const BUF = require.resolve("@bufbuild/buf/bin/buf");
const CONFIG = JSON.stringify({ version: "v2", lint: { use: ["BASIC"] } });

/** What files below a folder break: rules by their names. */
function brokenIn(folder: string): { type: string; message: string }[] {
  const args = [BUF, "lint", "--config", CONFIG, "--error-format", "json", "."];
  using cache = temporaryFolder(); // else buf keeps one in HOME
  const env = { ...process.env, BUF_CACHE_DIR: cache.path };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  expect({ status, stderr }).toEqual({ status: stdout === "" ? 0 : 100, stderr: "" });
  const lines = stdout.split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as { type: string; message: string });
}

const proto = (dir: string, project: string): string =>
  readFileSync(join(dir, "generated", project, "messages.proto"), "utf8");

describe("buf's rules of the category BASIC", () => {
  test.each(["ads", "apart", "all-types", "flows", "hello", "nodes", "sources"])(
    "hold for the golden project %s",
    (name) => expect(brokenIn(`${GOLDEN_FOLDER}${name}/generated`)).toEqual([]),
  );

  test.each([
    ["ads", "service AdBundle"],
    ["mobile-money", "int64 payer_cents = "],
    ["mo-flow", "string short_code = "],
    ["ussd", "int64 received_us = "],
  ])("hold for the example %s", async (name, text) => {
    using folder = temporaryFolder();
    copyExample(name, folder.path);
    expect((await generateProject(folder.path)).ok).toBe(true);
    expect(proto(folder.path, name.replaceAll("-", "_"))).toContain(text);
    expect(brokenIn(join(folder.path, "generated"))).toEqual([]);
  });

  test("hold for nested messages, maps and oneofs that are drawn in other forms, and for few letters", async () => {
    using folder = temporaryFolder();
    const one = { type: "string", optional: true, oneof: "whichOne" } as const;
    putTopology(folder.path, {
      penstock: 1,
      name: "x1",
      enums: [
        {
          name: "HTTPCode2",
          values: [
            { name: "OK", number: 0 },
            { name: "A1B", number: 1 },
          ],
        },
      ],
      messages: [
        {
          name: "A",
          fields: [
            { name: "aURL", type: "string", tag: 1 },
            { name: "md5Sum1", type: "A", tag: 2, optional: true },
            { name: "byName", type: "HTTPCode2", tag: 3, repeated: true, key: "string" },
            { name: "theOne", tag: 4, ...one },
            { name: "x86_64", tag: 5, ...one },
          ],
        },
        { name: "HTTPAnswer3" },
      ],
      services: [{ name: "GetHTTP2", request: "A", response: "HTTPAnswer3" }],
      bundles: [{ name: "B", services: ["GetHTTP2"] }],
    });
    const { problems } = await generateProject(folder.path);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(proto(folder.path, "x1")).toContain(`message A {
  string a_url = 1 [json_name = "aURL"];
  optional A md5_sum1 = 2;
  map<string, HTTPCode2> by_name = 3;
  oneof which_one {
    string the_one = 4;
    string x86_64 = 5;
  }
}`);
    expect(brokenIn(join(folder.path, "generated"))).toEqual([]);
  });

  test.each([
    ["FIELD_LOWER_SNAKE_CASE", "double per_second =", "double perSecond ="],
    ["ONEOF_LOWER_SNAKE_CASE", "oneof why_not", "oneof whyNot"],
    ["ENUM_VALUE_UPPER_SNAKE_CASE", "COLOUR_GREEN", "colour_green"],
    // A value other than zero at first does not even compile.
    ["COMPILE", "  COLOUR_RED = 0;\n  // As grass\n", ""],
    ["PACKAGE_DIRECTORY_MATCH", "package all_types;", "package elsewhere;"],
  ])("see %s broken", (rule, good, bad) => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "all_types"));
    const text = readFileSync(`${GOLDEN_FOLDER}all-types/generated/all_types/messages.proto`, "utf8");
    expect(text).toContain(good);
    writeFileSync(join(folder.path, "all_types/messages.proto"), text.replace(good, bad));
    expect(brokenIn(folder.path).map(({ type }) => type)).toEqual([rule]);
  });
});
