import { describe, expect, it } from "vitest";
import { CATALOGUE, type ProblemCode } from "../diagnostics/index.js";
import { loadNodes } from "../../nodes/index.js";
import { located, parseTopology } from "../topology/index.js";
import { checkDocument, checkRunnable, RULES, RUNNABLE_RULES } from "./index.js";
import { BAD_DOCUMENTS } from "./testing/badDocuments.js";
import type { BadExample } from "./testing/badExample.js";
import { BAD_GRAPHS } from "./testing/badGraphs.js";
import { BAD_NAMES } from "./testing/badNames.js";
import { BAD_NODES } from "./testing/badNodes.js";
import { BAD_PLACES } from "./testing/badPlaces.js";
import { BAD_SOURCES } from "./testing/badSources.js";
import { TICKER_SOURCES } from "./testing/tickerSource.js";
import { runRules } from "./rule.js";
import { goodParts } from "./testing/goodParts.js";

/** Mistakes that cannot be made without another one. */
const KNOWN_COMPANIONS: readonly string[] = [
  "PS133 thousands of mistakes: PS122",
  "PS907 a call to another binary: PS905",
  "PS908 a stage in another binary: PS905",
];

const EXAMPLES: readonly BadExample[] = [
  ...BAD_DOCUMENTS,
  ...BAD_NAMES,
  ...BAD_GRAPHS,
  ...BAD_NODES,
  ...BAD_PLACES,
  ...BAD_SOURCES,
];
const { palette } = loadNodes();

/** Codes of this room: 7xx, 8xx and 99x belong to others, PS140 to the layout, PS111 to migrations. */
const OWN_CODES = (Object.keys(CATALOGUE) as ProblemCode[]).filter(
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
  return topology === undefined ? [] : located(checkRunnable(topology), text);
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
        severity: example.severity ?? CATALOGUE[code].severity,
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

describe("the catalogue", () => {
  it("has a bad example for every code", () => {
    const shown = new Set(EXAMPLES.map(({ code }) => code));
    expect(OWN_CODES.filter((code) => !shown.has(code))).toEqual([]);
  });

  it("has no code that nothing reports, and rules report no other", () => {
    const ofRules = new Set([...RULES, ...RUNNABLE_RULES].flatMap(({ codes }) => codes));
    const unreported = OWN_CODES.filter((code) => !code.startsWith("PS1") && !ofRules.has(code));
    expect(unreported).toEqual([]);
    const topologies = EXAMPLES.flatMap((example) => parseTopology(textOf(example)).topology ?? []);
    for (const rule of [...RULES, ...RUNNABLE_RULES])
      for (const topology of topologies) {
        const strangers = runRules([rule], topology, palette, TICKER_SOURCES).filter(
          ({ code }) => !rule.codes.includes(code as ProblemCode),
        );
        expect(strangers).toEqual([]);
      }
  });

  it("has a title, an explanation and a help for every code", () => {
    for (const entry of Object.values(CATALOGUE)) {
      expect(entry.title).toMatch(/^\S.*[^.]$/);
      expect(entry.explanation).toMatch(/\.$/);
      expect(entry.help).toMatch(/\.$/);
    }
  });
});
