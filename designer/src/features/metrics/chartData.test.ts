import { describe, expect, it } from "vitest";
import { chartData, grainOf, maxOf } from "../../kernel/live/chartData.js";
import { METRICS_RANGES, stepOf } from "../../kernel/live/metricsRange.js";
import { metricsStore, resetZoom, showRange, shownSpan, zoomTo } from "./metricsStore.js";
import { niceTop, steadyTop } from "../../kernel/ui/niceTop.js";
import { Ring } from "../../kernel/live/track/ring.js";

const ringOf = (values: number[]): Ring => {
  const ring = new Ring(100, true);
  for (const value of values) ring.push(value);
  return ring;
};

const mean = (values: number[]) => ({ ring: ringOf(values), of: "mean" as const });

describe("chartData", () => {
  it("aligns a curve that began later by its end, and breaks lines at holes", () => {
    const data = chartData(ringOf([10, 11, 12, 13]), [mean([1, Number.NaN, 3])], 0, 100, 1);
    expect(data).toEqual([
      [10, 11, 12, 13],
      [null, 1, null, 3],
    ]);
    expect(maxOf(data)).toBe(3);
  });

  it("leaves out what is before the span", () => {
    expect(chartData(ringOf([1, 50, 99]), [mean([1, 2, 3])], 49.5, 99, 1)[0]).toEqual([50, 99]);
  });

  it("breaks a line where nobody looked, though the points beside it are there", () => {
    const data = chartData(ringOf([10, Number.NaN, 11]), [mean([1, Number.NaN, 3])], 0, 100, 10);
    expect(data[1]).toEqual([1, null, 3]);
    expect(data[0]).toEqual([10, 10.001, 11]);
  });

  it("draws a coarse past and the quick present with one grain: a point for each step, mean and worst", () => {
    const times = ringOf([100, 110, 120, 130, 131, 132, 139]);
    const curve = ringOf([1, 2, 3, 4, 6, 8, 10]);
    const curves = [
      { ring: curve, of: "mean" as const },
      { ring: curve, of: "max" as const },
    ];
    expect(chartData(times, curves, 100, 139, 10)).toEqual([
      [100, 110, 120, 139],
      [1, 2, 3, 7],
      [1, 2, 3, 10],
    ]);
  });

  it("keeps the points of the past where they are while time goes on", () => {
    const times = [100, 101, 102, 103, 104, 105, 106, 107].map((at) => at + 0.4);
    const [before] = chartData(ringOf(times.slice(0, 7)), [mean(times)], 100, 106.5, 3);
    const [after] = chartData(ringOf(times), [mean(times)], 101, 107.5, 3);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  });
});

describe("the resolution of a range", () => {
  const times = ringOf([100, 110, 120, 130, 133, 136, 139, 140, 141, 142.2, 144]);
  it("is its own, though a sample is late", () => {
    expect(grainOf(times, 139, 144, 1)).toBe(1);
    expect(grainOf(times, 139, 144, 3)).toBe(3);
  });
  it("is that of the coarsest part that is known, so that it is the same from end to end", () => {
    expect(grainOf(times, 130, 144, 1)).toBe(3);
    expect(grainOf(times, 100, 144, 1)).toBe(10);
    expect(grainOf(ringOf([1, Number.NaN, 500]), 0, 500, 1)).toBe(1);
  });
});

describe("what the charts show", () => {
  const range = METRICS_RANGES[1]!;
  it("is the range up to now, or up to where it was frozen, or the zoom", () => {
    expect(shownSpan({ range, zoom: null, frozenAtMs: null }, 1_000_000)).toEqual({ from: 700, to: 1000 });
    expect(shownSpan({ range, zoom: null, frozenAtMs: 900_000 }, 1_000_000)).toEqual({ from: 600, to: 900 });
    zoomTo(960, 800);
    expect(shownSpan(metricsStore.getState(), 1_000_000)).toEqual({ from: 800, to: 960 });
  });

  it("is never a zoom of less than what figures stand for, and a range again after one", () => {
    zoomTo(500, 501);
    expect(metricsStore.getState().zoom).toEqual({ from: 498, to: 503 });
    showRange(range);
    expect(metricsStore.getState()).toMatchObject({ range, zoom: null });
    zoomTo(500, 600);
    resetZoom();
    expect(metricsStore.getState()).toMatchObject({ range, zoom: null });
  });

  it("has the resolution of the smallest range that holds it", () => {
    expect([20, 60, 61, 300, 900, 5000].map(stepOf)).toEqual([1, 1, 3, 3, 10, 10]);
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
