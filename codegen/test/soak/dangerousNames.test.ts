import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { generateProject } from "../../src/pipeline.js";
import { nameFault, type NameKind } from "../../src/model/validate/index.js";
import { RUNTIME_PREFIX } from "../support/build.js";
import { filesBelow, GOLDEN_FOLDER, putTopology, temporaryFolder, type Sketch } from "../support/project.js";

/**
 * Names that could hurt where the generator puts them: every word of generated code
 * itself. Those that validation lets through
 * become messages, fields, enums, values, services, implementations, flows, stages and pools of
 * real projects, which have to compile. (The words of the system's headers have their own sweep.)
 */
vi.setConfig({ testTimeout: 600_000 });

function dangerousWords(): string[] {
  const texts: string[] = [];
  for (const [path, text] of filesBelow(`${GOLDEN_FOLDER}all-types`))
    if (/\.(cpp|hpp)$/.test(path)) texts.push(text);
  const words = texts.flatMap((text) => text.match(/\b[A-Za-z]\w*\b/g) ?? []);
  return [...new Set([...words])].sort();
}

const words = dangerousWords();
const pascal = (word: string): string =>
  word.replace(/(?:^|_)+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("_", "");

/** Legal names of a kind, no two of which meet in a file name; `taken` grows. */
function legal(kind: NameKind, form: (word: string) => string, taken = new Set<string>()): string[] {
  const names: string[] = [];
  for (const name of words.map(form)) {
    const key = name.toLowerCase().replaceAll("_", "");
    if (name.length > 60 || taken.has(key) || nameFault(kind, name) !== undefined) continue;
    taken.add(key);
    names.push(name);
  }
  return names;
}
const each = (name: string): { name: string; type: string; tag: number }[] => [
  { name, type: "int32", tag: 1 },
];

const fields = legal("field", (word) => word);
const values = legal("enum value", (word) => word.toUpperCase());
const drawings: [string, Sketch][] = [
  [
    "messages, fields, stages",
    {
      penstock: 1,
      name: "sweep",
      messages: [
        ...legal("message", pascal).map((name) => ({ name, fields: each("value") })),
        {
          name: "ZzFields",
          fields: fields.map((name, index) => ({
            name,
            type: "string",
            tag: index < 18_999 ? index + 1 : index + 2_000,
          })),
        },
      ],
      services: [{ name: "ZzTakes", request: "ZzFields", response: "ZzFields" }],
      flows: [
        {
          name: "ZzFlow",
          event: "ZzFields",
          source: { kind: "rate", perSecond: 1 },
          stages: legal("stage", (word) => word)
            .slice(0, 60)
            .map((id) => ({ id, service: "ZzTakes" })),
        },
      ],
      bundles: [{ name: "All", services: ["ZzTakes"], flows: ["ZzFlow"] }],
      binaries: [{ name: "sweep", bundles: ["All"] }],
    },
  ],
  [
    "services, implementations, pools",
    ((): Sketch => {
      const names = legal("service", pascal).slice(0, 80);
      return {
        penstock: 1,
        name: "sweep",
        messages: [{ name: "ZzWord", fields: each("value") }],
        services: [
          ...names.map((name, index) => ({
            name,
            request: "ZzWord",
            response: "ZzWord",
            calls: index + 1 < names.length ? [names[index + 1]!] : [],
          })),
          {
            name: "ZzSeveral",
            request: "ZzWord",
            response: "ZzWord",
            implementations: legal(
              "implementation",
              pascal,
              new Set(names.map((name) => name.toLowerCase())),
            ).slice(0, 40),
          },
        ],
        bundles: [{ name: "All", services: [...names, "ZzSeveral"] }],
        binaries: [
          {
            name: "sweep",
            bundles: ["All"],
            pools: legal("pool", (word) => word)
              .filter((name) => name !== "default")
              .slice(0, 100)
              .map((name) => ({ name, threads: [{}] })),
          },
        ],
      };
    })(),
  ],
  [
    "enums, values, flows",
    ((): Sketch => {
      const taken = new Set<string>();
      const flows = legal("flow", pascal, taken)
        .filter((_, index) => index % 2 === 0)
        .slice(0, 60);
      const enums = legal("enum", (word) => `${pascal(word)}E`)
        .filter((name) => !flows.includes(name))
        .slice(0, 60);
      return {
        penstock: 1,
        name: "sweep",
        messages: [{ name: "ZzWord", fields: each("value") }],
        enums: [
          { name: "ZzValues", values: values.map((name, number) => ({ name, number })) },
          ...enums.map((name) => ({ name, values: [{ name: "ZZ_FIRST", number: 0 }] })),
        ],
        services: [{ name: "ZzTakes", request: "ZzWord" }],
        flows: flows.map((name) => ({
          name,
          event: "ZzWord",
          source: { kind: "rate" as const, perSecond: 1 },
          stages: [{ id: "only", service: "ZzTakes" }],
        })),
        bundles: [{ name: "All", services: ["ZzTakes"], flows }],
        binaries: [{ name: "sweep", bundles: ["All"] }],
      };
    })(),
  ],
];

test.each(drawings)("every legal name compiles: %s", async (_, drawing) => {
  using folder = temporaryFolder();
  putTopology(folder.path, drawing);
  const result = await generateProject(folder.path);
  expect(result.problems.filter((problem) => problem.severity === "error")).toEqual([]);
  // One unit with everything: quicker, and names of different files meet.
  const sources = result.written.filter((path) => /^(generated|src)\/.*\.cpp$/.test(path));
  writeFileSync(join(folder.path, "all.cpp"), sources.map((path) => `#include "${path}"\n`).join(""));
  const flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"];
  const places = [
    "-I.",
    "-Igenerated",
    "-Isrc",
    `-I${RUNTIME_PREFIX}/include`,
    '-DPenstock_config_dir="config"',
  ];
  for (const compiler of ["g++", "clang++-16"]) {
    const done = spawnSync(compiler, [...flags, ...places, "all.cpp"], {
      cwd: folder.path,
      encoding: "utf8",
    });
    expect(done.stderr.split("\n").slice(0, 20).join("\n"), compiler).toBe("");
  }
  const protoc = spawnSync("protoc", ["-Igenerated", "-o/dev/null", "generated/sweep/messages.proto"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(protoc.stderr).toBe("");
});
