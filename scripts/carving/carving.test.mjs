import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { figuresOf, figuresText, printedFigures } from "./tables.mjs";
import { withFigures } from "./withFigures.mjs";
import { CARVING_OPTIONS } from "./options.mjs";

const run = (system, times, medianMs, more = {}) => ({
  ...{ system, times, tookMs: 10_000, sent: 200, completed: 200, failed: 0 },
  minUs: (medianMs - 1) * 1000,
  ...{ p50Us: medianMs * 1000, p95Us: (medianMs + 1) * 1000, p99Us: (medianMs + 2) * 1000 },
  maxUs: 1_234_567,
  ...more,
});
const HEAVY = 10_000_000;
const kept = {
  runs: [
    ...[9, 5, 7].map((median) => run("service, Penstock", HEAVY, median)),
    ...[8, 8, 8].map((median) => run("service, Go Twirp", HEAVY, median)),
    run("carved, Penstock", HEAVY, 20),
    run("carved, Go Twirp", HEAVY, 19),
    run("monolith", 1_000_000, 12, { failed: 3, completed: 150 }),
  ],
  machine: { cpu: "A processor", cores: 2, system: "Debian", node: "v20", go: "go1.26" },
  missing: [],
  ...{ rounds: 3, forS: 10, date: "2026-11-29T12:00:00.000Z", load: { before: "0 0 0", after: "1 1 1" } },
};

test("a row is the median of its rounds, figure by figure, and says what failed", () => {
  const rows = figuresOf(kept);
  expect(rows.map(({ system, times, rounds }) => [system, times, rounds])).toEqual([
    ["service, Penstock", HEAVY, 3],
    ["service, Go Twirp", HEAVY, 3],
    ["carved, Penstock", HEAVY, 1],
    ["carved, Go Twirp", HEAVY, 1],
    ["monolith", 1_000_000, 1],
  ]);
  expect(rows[0]).toMatchObject({ perSecond: 20, minMs: 6, medianMs: 7, p95Ms: 8, p99Ms: 9, failed: 0 });
  expect(rows.at(-1)).toMatchObject({ perSecond: 15, failed: 3 });
});

test("the tables have the article's beside ours, who is as quick as the other, and where it was measured", () => {
  const text = figuresText(kept);
  expect(text).toContain("| service, Penstock | 10,000,000 | 20.0 | 6.0 | 7.0 | 8.0 | 9.0 | 1,235 |");
  expect(text).toContain("| monolith | 10,000,000 | 4.6 | 233 | 16,351 | 31,296 | 32,615 | 32,858 |");
  expect(text).toContain("- ✅ service: median and p95 no worse than with the service in Go");
  expect(text).toContain("- ❌ carved: median and p95 no worse than with the service in Go");
  expect(text).toContain("3 rounds of 10 s");
  expect(text).toContain("go1.26. 2026-11-29T12:00:00.000Z");
  const missing = "The service in Go is left out: go is not installed";
  const alone = { ...kept, runs: kept.runs.slice(0, 1), missing: [missing] };
  expect(printedFigures(alone)).toContain(missing);
  expect(figuresText(alone)).not.toContain("no worse");
});

test("docs/carving.md has a place for them, and keeps the rest", () => {
  const page = readFileSync(new URL("../../docs/carving.md", import.meta.url), "utf8");
  const once = withFigures(page, "FIGURES");
  expect(once).toContain("\n\nFIGURES\n\n");
  expect(withFigures(once, "OTHERS")).toBe(once.replace("FIGURES", "OTHERS"));
  expect(() => withFigures("# no marks", "FIGURES")).toThrow("lost the marks");
});

test("--rounds is refused where it is no small number, --quick is one round and draws nothing", () => {
  expect(() => CARVING_OPTIONS.read({ rounds: "0" })).toThrow('--rounds cannot be "0"');
  expect(CARVING_OPTIONS.read({ quick: true })).toMatchObject({ rounds: 1, whole: false });
  expect(CARVING_OPTIONS.read({})).toMatchObject({ rounds: 3, seconds: 10, whole: true });
});
