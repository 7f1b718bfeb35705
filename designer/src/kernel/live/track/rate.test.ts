import { describe, expect, it } from "vitest";
import { GAP_MS, Rate } from "./rate.js";

const feed = (rate: Rate, from: number, to: number, perSecond: number, base = 0): number => {
  let last = Number.NaN;
  for (let t = from; t <= to; t += 100) last = rate.push(t, base + ((t - from) / 1000) * perSecond);
  return last;
};

describe("Rate", () => {
  it("is unknown until there are two samples", () => {
    const rate = new Rate();
    expect(rate.push(0, 10)).toBeNaN();
    expect(rate.push(100, 30)).toBe(200);
  });

  it("is formed over about the last second", () => {
    const rate = new Rate();
    feed(rate, 0, 3000, 200);
    // A second later at another pace only the new pace counts.
    const last = feed(rate, 3100, 4200, 500, 600 + 50);
    expect(last).toBeCloseTo(500, 0);
  });

  it("is right with samples a second apart, as a hidden page gets them", () => {
    const rate = new Rate();
    rate.push(0, 0);
    rate.push(1000, 150);
    expect(rate.push(2000, 400)).toBe(250);
  });

  it("never spans a hole", () => {
    const rate = new Rate();
    feed(rate, 0, 2000, 100);
    expect(rate.push(2000 + GAP_MS + 1, 100_000)).toBeNaN();
    expect(rate.push(2000 + GAP_MS + 101, 100_010)).toBe(100);
  });

  it("is formed over the steps of a coarser past, and of the present behind it", () => {
    const rate = new Rate();
    rate.push(0, 0);
    rate.push(10_000, 1000);
    expect(rate.push(20_000, 3000)).toBe(200);
    expect(rate.push(23_000, 3300)).toBe(100);
    expect(rate.push(23_100, 3320)).toBeCloseTo(103.2, 1);
    expect(rate.push(23_100 + 7600, 9000)).toBeNaN();
  });

  it("starts anew when the counter falls, as after a restart", () => {
    const rate = new Rate();
    feed(rate, 0, 2000, 100);
    expect(rate.push(2100, 0)).toBeNaN();
    expect(rate.push(2200, 5)).toBe(50);
  });
});
