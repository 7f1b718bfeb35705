import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALL_CODES } from "../catalogue/index.js";
import { pathOf, type Problem } from "../diagnostics/index.js";
import { parseLayout, parseTopology, printTopology } from "../topology/index.js";
import { Random, seedOf } from "../topology/testing/random.js";
import { checkDocument, checkRunnable } from "./index.js";
import { goodParts } from "./testing/goodParts.js";

const sample = readFileSync(new URL("../topology/testing/fixtures/sample.json", import.meta.url), "utf8");
const SPLINTERS = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "null",
  "-0",
  "1e9",
  "\\u0000",
  "\\ud800",
  "//",
  "\u0000",
  "\ufeff",
  "😀",
  '"__proto__":',
  "\n",
];
const VALUES: readonly unknown[] = [
  null, true, "", "A", "default", "class", "x".repeat(70), 0, -1, 0.5, 2 ** 31, 1e15, [], {}, ["A"], { a: 1 }, [[]], "\u202e", "Failure", "GetAd", "cached", ["pick"],
]; // prettier-ignore

/** Cuts, doubles, swaps or plants a piece of a text. */
function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.below(12));
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, end) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(SPLINTERS) + text.slice(at);
    default:
      return text.slice(0, at) + random.pick(SPLINTERS) + text.slice(end);
  }
}

/** Changes one place of a document, anywhere in it. */
function mutateDocument(random: Random, document: unknown): void {
  const holders: Record<string, unknown>[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    holders.push(value as Record<string, unknown>);
    Object.values(value).forEach(walk);
  };
  walk(document);
  const holder = random.pick(holders);
  const keys = Object.keys(holder);
  const key = keys.length === 0 || random.chance(0.1) ? "stray" : random.pick(keys);
  if (Array.isArray(holder)) {
    if (random.chance(0.3)) holder.splice(random.below(holder.length + 1), 1);
    else if (random.chance(0.5) && holder.length > 0) holder.push(structuredClone(random.pick(holder)));
    else holder.push(structuredClone(random.pick(VALUES)));
  } else if (random.chance(0.2)) delete holder[key];
  else holder[key] = structuredClone(random.pick(VALUES));
}

/** What every problem owes to whoever shows it. */
function faults(problems: readonly Problem[], document: unknown): string[] {
  return problems.flatMap((problem) => {
    const { code, message, help, pointer, severity } = problem;
    const wrong: string[] = [];
    if (!Object.hasOwn(ALL_CODES, code)) wrong.push("no such code");
    if (message === "" || help === "" || /undefined|\[object|NaN\b/.test(message)) wrong.push("bad text");
    if (severity !== "error" && severity !== "warning") wrong.push("bad severity");
    let value: unknown = document;
    for (const step of pathOf(pointer)) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
        wrong.push("points at nothing");
        break;
      }
      value = (value as Record<string, unknown>)[step];
    }
    return wrong.map((fault) => `${fault}: ${JSON.stringify(problem)}`);
  });
}

describe("whatever comes in", () => {
  it("as text is answered by a topology or by problems, never by a throw", () => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const random = new Random(seed);
    for (let round = 0; round < 1500; round++) {
      let text = sample;
      for (let change = 0; change <= random.below(4); change++) text = mutateText(random, text);
      const input = random.chance(0.2)
        ? new TextEncoder().encode(text).map((byte) => (random.chance(0.001) ? byte ^ 0x80 : byte))
        : text;
      const { topology, problems } = parseTopology(input);
      expect(topology === undefined, `PENSTOCK_SEED=${seed}`).toBe(
        problems.some(({ severity }) => severity === "error"),
      );
      expect(parseLayout(input).problems.every(({ severity }) => severity === "warning")).toBe(true);
    }
  });

  it("as a document is checked to the end, and each problem points at something", () => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const random = new Random(seed);
    for (let round = 0; round < 1500; round++) {
      const { document } = goodParts();
      for (let change = 0; change <= random.below(5); change++) mutateDocument(random, document);
      const { topology, problems } = checkDocument(JSON.stringify(document));
      expect(faults(problems, document), `PENSTOCK_SEED=${seed}`).toEqual([]);
      if (topology === undefined) continue;
      expect(faults(checkRunnable(topology), document), `PENSTOCK_SEED=${seed}`).toEqual([]);
      const text = printTopology(topology);
      expect(printTopology(parseTopology(text).topology ?? topology), `PENSTOCK_SEED=${seed}`).toBe(text);
    }
  });
});
