import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALL_CODES } from "../catalogue/index.js";
import { loadNodes } from "../../nodes/index.js";
import { located, parseTopology } from "../topology/index.js";
import { checkDocument, checkRunnable, fixesOf, RULES, RUNNABLE_RULES } from "./index.js";
import { BAD_DOCUMENTS } from "./testing/badDocuments.js";
import type { BadExample } from "./testing/badExample.js";
import { TICKER_SOURCES } from "./testing/tickerSource.js";
import type { Rule } from "./rule/rule.js";
import { goodParts } from "./testing/goodParts.js";

/** Mistakes that cannot be made without another one. */
const KNOWN_COMPANIONS: readonly string[] = ["PS133 thousands of mistakes: PS122"];

const here = (file: string): URL => new URL(file, import.meta.url);
const RULE_FILES = readdirSync(here("rules"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(here(`rules/${name}`)).map((file) => `./rules/${name}/${file}`))
  .filter((file) => !file.endsWith("/index.ts"));

/** What each file of rules has: its rule, and what is wrong by it. */
const FILES = await Promise.all(
  RULE_FILES.map(
    (file) => import(here(file).href) as Promise<{ bad: readonly BadExample[]; [rule: string]: unknown }>,
  ),
);
const ALL_RULES: readonly Rule[] = [...RULES, ...RUNNABLE_RULES];
const EXAMPLES: readonly BadExample[] = [...BAD_DOCUMENTS, ...FILES.flatMap(({ bad }) => bad)];
const { palette } = loadNodes();

/** 7xx, 8xx and 99x belong to other rooms, PS140 to the layout, PS111 to migrations. */
const OWN_CODES = Object.keys(ALL_CODES).filter(
  (code) => /^PS([1-6]|90)/.test(code) && code !== "PS140" && code !== "PS111",
);

function textOf({ spoil }: BadExample): string | Uint8Array {
  if (typeof spoil !== "function") return spoil;
  const parts = goodParts();
  spoil(parts);
  return JSON.stringify(parts.document);
}

function check(example: BadExample) {
  const text = textOf(example);
  if (!example.code.startsWith("PS9")) return checkDocument(text, palette, TICKER_SOURCES).problems;
  const { topology } = parseTopology(text);
  return topology === undefined ? [] : located(checkRunnable(topology, palette), text);
}

describe("the good document", () => {
  it("has no problem, not even a warning, and can run", () => {
    const { topology, problems } = checkDocument(
      JSON.stringify(goodParts().document),
      palette,
      TICKER_SOURCES,
    );
    expect(problems).toEqual([]);
    expect(topology && checkRunnable(topology)).toEqual([]);
  });
});

describe("each mistake is found, at its place", () => {
  it.each(EXAMPLES.map((example) => [example.code, example.title, example] as const))(
    "%s: %s",
    (code, _, example) => {
      const problems = check(example);
      const found = problems.find((problem) => problem.code === code && problem.pointer === example.pointer);
      expect(found).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
      expect(found ?? problems).toMatchObject({
        severity: example.severity ?? ALL_CODES[code]!.severity,
        message: expect.stringMatching(/\S/),
        help: expect.stringContaining(example.help ?? ""),
        ...(example.node === undefined ? {} : { node: example.node }),
      });
    },
  );

  it("without inventing errors of other kinds", () => {
    const strays = EXAMPLES.flatMap((example) => {
      const others = new Set(
        check(example)
          .filter(({ code, severity }) => code !== example.code && severity === "error")
          .map(({ code }) => code),
      );
      return others.size === 0 ? [] : [`${example.code} ${example.title}: ${[...others].join()}`];
    });
    expect(strays).toEqual(KNOWN_COMPANIONS);
  });
});

describe("fixes", () => {
  const bundled = (code: string) => {
    const { document, bundle } = goodParts();
    bundle.services = ["GetAd", "LogAd", "CountError"];
    if (code === "PS622") document.flows![0]!.stages![0]!.service = "ProduceAd";
    const topology = parseTopology(JSON.stringify(document)).topology!;
    const found = checkDocument(JSON.stringify(document), palette).problems.find((one) => one.code === code)!;
    return fixesOf(found, topology);
  };

  it.each(["PS614", "PS620", "PS622"])("of %s are chosen by the code", (code) => {
    const members = { services: ["ProduceAd"], flows: [] };
    expect(bundled(code)).toEqual([{ does: "add to bundle", bundle: "AdBundle", members }]);
  });

  it.each([
    ["PS611", "services", "GetAds", "GetAd"],
    ["PS612", "flows", "Impresions", "Impressions"],
  ] as const)(
    "of %s are the name that was meant, where no bundle has it, or none",
    (code, key, name, meant) => {
      const place = { bundle: "AdBundle", key, name };
      const removal = { does: "remove from bundle", ...place };
      const fixes = (names: string[]) => {
        const { document, bundle } = goodParts();
        bundle[key] = names;
        const topology = parseTopology(JSON.stringify(document)).topology!;
        const problems = checkDocument(JSON.stringify(document), palette).problems;
        return problems.filter((one) => one.code === code).map((one) => fixesOf(one, topology));
      };
      expect(fixes([name])).toEqual([[{ does: "use in bundle", ...place, meant }, removal]]);
      expect(fixes([meant, name])).toEqual([[removal]]);
    },
  );

  it("are none where what was wrong is gone", () => {
    const empty = parseTopology('{ "penstock": 1, "name": "empty" }').topology!;
    expect(EXAMPLES.flatMap((example) => check(example).flatMap((one) => fixesOf(one, empty)))).toEqual([]);
  });
});

describe("the list of rules", () => {
  it("has a bad example for every code", () => {
    const shown = new Set(EXAMPLES.map(({ code }) => code));
    expect(OWN_CODES.filter((code) => !shown.has(code))).toEqual([]);
  });

  it("names each rule that there is a file of", () => {
    const named = FILES.flatMap((file) => Object.values(file)).filter((one) =>
      ALL_RULES.includes(one as Rule),
    );
    expect(named).toHaveLength(ALL_RULES.length);
    expect(RULE_FILES).toHaveLength(ALL_RULES.length);
  });
});
