import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generateProject, loadProject } from "../pipeline.js";
import { projectNodes } from "../projectNodes.js";
import { STANDARD_SOURCES } from "../model/sources/index.js";
import { TICKER } from "../model/validate/testing/tickerSource.js";

const SOURCE = { kind: "ticker", count: 5, mode: "quick", perSecond: 20 };
const TOPOLOGY = {
  penstock: 1,
  name: "shop",
  messages: [{ name: "Tick", fields: [{ name: "cookie", type: "string", tag: 1 }] }],
  services: [{ name: "Take", request: "Tick" }],
  flows: [
    {
      name: "Ticks",
      event: "Tick",
      source: SOURCE,
      stages: [{ id: "take", service: "Take", role: "side-effect" }],
    },
  ],
  bundles: [{ name: "All", services: ["Take"], flows: ["Ticks"] }],
  binaries: [{ name: "shop", bundles: ["All"] }],
};

let dir = "";
const write = (path: string, content: unknown): void => {
  mkdirSync(`${dir}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
  writeFileSync(
    `${dir}/${path}`,
    typeof content === "string" ? content : JSON.stringify(content, undefined, 2),
  );
};
const draw = (source: unknown): void =>
  write("topology.json", { ...TOPOLOGY, flows: [{ ...TOPOLOGY.flows[0], source }] });
const read = (path: string): string => readFileSync(`${dir}/${path}`, "utf8");
const messages = (): string[] => projectNodes(dir).problems.map(({ code, message }) => `${code} ${message}`);

beforeEach(() => {
  dir = mkdtempSync(`${tmpdir()}/penstock-sources-`);
  write("topology.json", TOPOLOGY);
  write("sources/ticker/source.json", TICKER);
  write("sources/ticker/source.hpp", "// the class\n");
  write("sources/ticker/doc.md", "Ticks.\n");
});
afterEach(() => rmSync(dir, { recursive: true }));

describe("a source that a project brings", () => {
  test("stands beside the standard ones", () => {
    const { sources, sourcePackages, problems } = projectNodes(dir);
    expect(problems).toEqual([]);
    expect([...sources.keys()]).toEqual([...STANDARD_SOURCES.keys(), "ticker"]);
    expect(sourcePackages.get("ticker")).toMatchObject({ own: true, documentation: "Ticks.\n" });
    expect(sourcePackages.get("rate")).toMatchObject({ own: false });
  });

  test("is checked by its manifest, with line and column", async () => {
    draw({ kind: "ticker", count: 0, spech: "a" });
    const { problems } = await loadProject(dir);
    expect(problems.map(({ code, pointer, help }) => ({ code, pointer, help }))).toEqual([
      { code: "PS323", pointer: "/flows/0/source/count", help: "Use 1 to 100." },
      { code: "PS321", pointer: "/flows/0/source/spech", help: 'Did you mean "speech"?' },
    ]);
    const line =
      read("topology.json")
        .split("\n")
        .findIndex((text) => text.includes('"count": 0')) + 1;
    expect(problems[0]).toMatchObject({ line, column: expect.any(Number), node: "flow:Ticks" });
    expect((await generateProject(dir)).written).toEqual([]);
  });

  test("is generated: its settings as a struct, its class in main(), what is drawn in the configuration", async () => {
    const { ok, problems } = await generateProject(dir);
    expect([ok, problems]).toEqual([true, []]);
    expect(read("generated/sources/ticker.hpp").replace(/^.*\n/, "")).toBe(HEADER);
    const main = read("generated/binaries/shop.cpp");
    expect(main).toContain('#include "../../sources/ticker/source.hpp"\n');
    expect(main).toContain(
      `  app.source_flow<::shop::sources::ticker::Source<::shop::Tick>, ::shop::sources::ticker::Settings>("Ticks")`,
    );
    const { flows } = JSON.parse(read("generated/config/shop.json")) as { flows: Record<string, unknown> };
    // In the order of the manifest; the binary has the defaults.
    expect(JSON.stringify(flows["Ticks"])).toContain(
      '{"kind":"ticker","count":5,"mode":"quick","perSecond":20}',
    );
    const cmake = read("generated/cmake/sources.cmake");
    expect(cmake).toContain("find_package(ZLIB REQUIRED)\n");
    expect(cmake).toContain("penstock::penstock ZLIB::ZLIB)\n");
    // The same drawing, printed by the designer, gives the same bytes.
    expect((await generateProject(dir)).written).toEqual([]);
  });

  test("follows the project into another namespace", async () => {
    write("sources/ticker/source.hpp", "namespace shop::sources::ticker {\nusing shop::Tick;\n}\n");
    await generateProject(dir);
    write("topology.json", { ...TOPOLOGY, name: "store" });
    const renames = [{ kind: "project", from: "shop", to: "store" }] as const;
    expect(await generateProject(dir, { renames })).toMatchObject({ ok: true });
    expect(read("sources/ticker/source.hpp")).toBe(
      "namespace store::sources::ticker {\nusing store::Tick;\n}\n",
    );
  });

  test("has a setting that is called as what every object has, and is not drawn", async () => {
    const properties = { ...TICKER.settings.properties, toString: { type: "string" } };
    write("sources/ticker/source.json", { ...TICKER, settings: { ...TICKER.settings, properties } });
    draw(SOURCE);
    expect((await generateProject(dir)).problems).toEqual([]);
    const config = JSON.parse(read("generated/config/shop.json")) as unknown;
    expect(JSON.stringify(config)).toContain("ticker");
    expect(JSON.stringify(config)).not.toContain("toString");
  });

  test("is unknown where it is not there, and nothing is generated", async () => {
    rmSync(`${dir}/sources`, { recursive: true });
    const { problems, written } = await generateProject(dir);
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([["PS428", "/flows/0/source/kind"]]);
    expect(written).toEqual([]);
  });

  test("may not have the name of a standard one", () => {
    write("sources/http/source.json", { ...TICKER, kind: "http" });
    expect(messages()).toEqual(['PS712 The project\'s own source "http" has the name of a standard one']);
  });

  test("is no folder of something else, and no file", () => {
    write("sources/notes/readme.txt", "mine");
    write("sources/README.md", "What our sources do");
    write("sources/Makefile", "all:");
    for (let at = 0; at < 300; at++) write(`sources/part${at}/code.cpp`, "");
    expect(messages()).toEqual([]);
  });

  test.each(["sources", "sources/ticker", "sources/ticker/source.json"])(
    "is not looked for behind a link: %s",
    (path) => {
      rmSync(`${dir}/${path}`, { recursive: true });
      symlinkSync("/tmp", `${dir}/${path}`);
      expect(messages()).toEqual([
        `PS703 ${path} is a symbolic link to "/tmp"; links in a project are not followed.`,
      ]);
      expect(projectNodes(dir).problems[0]?.help).toBe(
        `Remove the link ${path} and put what it leads to in its place.`,
      );
    },
  );

  const { settings } = TICKER;
  const setting = (key: string, schema: unknown) => ({
    ...TICKER,
    settings: { ...settings, properties: { ...settings.properties, [key]: schema } },
  });
  test.each([
    ["of another kind", { ...TICKER, kind: "clock" }, 'its kind is "clock"'],
    ["with a key that there is not", { ...TICKER, colour: 1 }, "wrong manifest"],
    ["of a name that C++ has", { ...TICKER, kind: "std" }, "C\\+\\+ cannot have"],
    ["with events of a standard one", { ...TICKER, events: "json" }, '"json", which only standard sources'],
    [
      "that requires what is no setting",
      { ...TICKER, settings: { ...settings, required: ["cont"] } },
      '"cont"',
    ],
    ["with a list as a setting", setting("list", { type: "array" }), '"list" that is of the type "array"'],
    ["with a setting that C++ cannot have", setting("errno", { type: "integer" }), '"errno" that C\\+\\+'],
    ["with a format of nodes", setting("of", { type: "string", format: "sql" }), '"of" that has the format'],
    ["with a rate of another name", setting("pace", { type: "number", format: "rate" }), '"perSecond"'],
    ["with a default out of its range", setting("n", { type: "integer", minimum: 1, default: 0 }), "default"],
    ["with a bound that no integer is", setting("n", { type: "integer", maximum: 1e30 }), "a bound"],
    ["with a default too long", setting("s", { type: "string", maxLength: 2, default: "abc" }), "default"],
    ["with keys", setting("s", { type: "string", additionalProperties: { type: "string" } }), "for nodes"],
    ["with a code of its own", setting("n", { type: "integer", code: "PS420" }), "only standard sources"],
  ])("%s is refused with its file", (_, manifest, words) => {
    write("sources/ticker/source.json", manifest);
    const { problems, sources } = projectNodes(dir);
    expect(problems.map(({ code, file }) => [code, file])).toContainEqual([
      "PS711",
      "sources/ticker/source.json",
    ]);
    expect(problems.map(({ message }) => message).join("\n")).toMatch(new RegExp(words));
    expect(sources.has("ticker")).toBe(false);
  });

  test("without class, without manifest, or with one that is no JSON, is refused", () => {
    rmSync(`${dir}/sources/ticker/source.hpp`);
    expect(messages()).toEqual(['PS711 The source "ticker" has no source.hpp']);
    write("sources/ticker/source.hpp", "");
    write("sources/ticker/source.json", "{");
    expect(messages()).toEqual([expect.stringMatching(/^PS711 .*is no JSON/)]);
    rmSync(`${dir}/sources/ticker/source.json`);
    expect(messages()).toEqual(['PS711 The source "ticker" has no source.json']);
  });
});

/** Behind its first line, which says by which version it was made. */
const HEADER = String.raw`// Yours: sources/ticker/source.hpp
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <penstock/source.hpp>
#include <string>
#include <string_view>

namespace shop::sources::ticker {

/// Counts from 1.
struct Settings {
  /// So many events.
  std::int64_t count{};
  /// What it says.
  std::string speech = "tick \"tack\"";
  std::string mode = "slow";
  std::optional<double> share;
  bool loud = true;
  std::optional<double> perSecond;

  static constexpr const char* source_kind = "ticker";
  /// Out of the configuration of the binary, where it starts.
  [[nodiscard]] static Settings read_from(::penstock::SourceReader& in);
  /// As drawn; it may change while the source runs, which the runtime sees to.
  [[nodiscard]] std::optional<double> events_per_second() const { return perSecond; }
};

inline Settings Settings::read_from(::penstock::SourceReader& in) {
  Settings settings;
  if (const auto read = in.integer("count", 1, 100, "events", true)) {
    settings.count = *read;
  }
  if (const auto read = in.text("speech", 0, 40, false)) {
    settings.speech = *read;
  }
  if (const auto read = in.choice("mode", {"slow", "quick"}, false)) {
    settings.mode = std::array{std::string_view("slow"), std::string_view("quick")}.at(*read);
  }
  if (const auto read = in.number("share", 0.0, 1.0, false)) {
    settings.share = *read;
  }
  if (const auto read = in.flag("loud", false)) {
    settings.loud = *read;
  }
  if (const auto read = in.rate("perSecond", false)) {
    settings.perSecond = *read;
  }
  return settings;
}

}  // namespace shop::sources::ticker
`;
