import { describe, expect, it } from "vitest";
import { chartData, maxOf } from "./chartData.js";
import { niceTop, steadyTop } from "./niceTop.js";
import { Ring } from "./ring.js";

const ringOf = (values: number[]): Ring => {
  const ring = new Ring(100, true);
  for (const value of values) ring.push(value);
  return ring;
};

describe("chartData", () => {
  it("aligns a curve that began later by its end, and breaks lines at holes", () => {
    const data = chartData(ringOf([10, 11, 12, 13]), [ringOf([1, Number.NaN, 3])], 0, 100);
    expect(data).toEqual([
      [10, 11, 12, 13],
      [null, 1, null, 3],
    ]);
    expect(maxOf(data)).toBe(3);
  });

  it("leaves out what is before the span", () => {
    expect(chartData(ringOf([1, 50, 99]), [ringOf([1, 2, 3])], 49.5, 99)[0]).toEqual([50, 99]);
  });
});

describe("the top of a chart", () => {
  it("is round and has a round half", () => {
    expect([0, 7, 199, 421, 600, 990, 1001].map(niceTop)).toEqual([1, 8, 400, 600, 800, 2000, 2000]);
  });
  it("does not twitch", () => {
    expect(steadyTop(800, 430)).toBe(800);
    expect(steadyTop(800, 130)).toBe(200);
    expect(steadyTop(800, 900)).toBe(1000);
  });
});
