import type { BenchResult } from "@penstock/codegen/contract";
import { expect, test } from "vitest";
import { benchRows, changeOf } from "./benchRows.js";
import { benchScale, fittingKind } from "./benchScale.js";

const result = (name: string, min: number, median = min, max = median): BenchResult => ({
  name,
  service: name,
  unit: "ns/call",
  median,
  min,
  max,
  runs: 5,
});
const rowsOf = (...results: BenchResult[]) => benchRows({ results, skipped: [], previous: [] });

test("should put the dearest call first and what has no figure last, failed before unwritten", () => {
  const skip = (name: string, failed: boolean) => ({ name, service: name, reason: "", failed });
  const rows = benchRows({
    results: [result("Quick", 200), result("Slow", 9000), result("Middle", 800)],
    skipped: [skip("Empty", false), skip("Broken", true)],
    previous: [],
  });
  expect(rows.map(({ name }) => name)).toEqual(["Slow", "Middle", "Quick", "Broken", "Empty"]);
});

test("should compare each with its own figure of the run before", () => {
  const [row] = benchRows({
    results: [result("Add", 200)],
    skipped: [],
    previous: [result("Sub", 10), result("Add", 400)],
  });
  expect(row).toMatchObject({ before: 400, change: { percent: -50, verdict: "faster" } });
  expect(rowsOf(result("Add", 200))[0]).toMatchObject({ before: null, change: null });
});

test("should call a change news only when the spreads lie apart", () => {
  expect(changeOf(result("A", 90, 100, 130), result("A", 125, 140, 150))).toEqual({
    percent: -29,
    verdict: "same",
  });
  expect(changeOf(result("A", 160, 170, 180), result("A", 125, 140, 150))?.verdict).toBe("slower");
});

test("should show services of one size by length, those of many sizes by logarithm", () => {
  expect(fittingKind(rowsOf(result("A", 200), result("B", 900)))).toBe("linear");
  expect(fittingKind(rowsOf(result("A", 200), result("B", 120e6)))).toBe("log");
});

test("should begin a linear scale at nothing and end it above the longest whisker", () => {
  const scale = benchScale(rowsOf(result("A", 200, 250, 900), result("B", 300)), "linear");
  expect(scale.ticks).toEqual([0, 500, 1000]);
  expect([scale.at(0), scale.at(250), scale.at(1000)]).toEqual([0, 0.25, 1]);
});

test("should give the shortest bar of a logarithmic scale a length, and no more than five figures", () => {
  const scale = benchScale(rowsOf(result("A", 100), result("B", 150e6)), "log");
  expect(scale.at(100)).toBeGreaterThan(0.1);
  expect(scale.at(150e6)).toBeLessThan(1);
  expect(scale.ticks.length).toBeLessThanOrEqual(5);
  expect(scale.ticks.map((tick) => scale.at(tick)).every((at) => at >= 0 && at <= 1)).toBe(true);
});
