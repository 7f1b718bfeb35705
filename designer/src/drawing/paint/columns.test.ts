import { describe, expect, it } from "vitest";
import { layOutStrip } from "./columns.js";

const figures = { rate: 200, errorRate: 0, p50: 3100, p99: 100_000 };

const places = (rate: number, p50: number) => {
  const { bright, dim, between } = layOutStrip({ ...figures, rate, p50 }, 27);
  return [between?.at, bright.indexOf("p99"), dim.indexOf("/s"), dim.length];
};

describe("layOutStrip", () => {
  it("puts rate, p50 and p99 in one row of a usual node", () => {
    expect(layOutStrip(figures, 27)).toEqual({
      bright: "200               p99 100",
      dim: "   /s                    ms",
      bad: "",
      // From the end of "200/s" to it as from its end to "p99".
      between: { at: 7, bright: "p50 3.1", dim: "       ms" },
    });
  });

  it("never moves what stands beside a figure that changes", () => {
    const usual = places(200, 3100);
    for (const [rate, p50] of [
      [0, 3100],
      [7.5, 900],
      [99, 41],
      [999, 148_000],
    ] as const)
      expect(places(rate, p50)).toEqual(usual);
  });

  it("leaves p50 out where the node is narrow", () => {
    expect(layOutStrip(figures, 20).bright).toBe("200        p99 100");
  });

  it("keeps a column between a long rate and p50", () => {
    expect(layOutStrip({ ...figures, rate: 12_345 }, 27)).toMatchObject({
      bright: expect.stringMatching(/^12\.3 {14}p99/),
      between: { at: 8, bright: "p50 3.1" },
    });
  });

  it("says errors in the place of p50", () => {
    const { between, bad } = layOutStrip({ ...figures, errorRate: 2.1 }, 27);
    expect(bad.trim()).toBe("2.1/s err");
    expect(between).toBeUndefined();
  });

  it("says that a handler is stuck, with or without errors", () => {
    expect(layOutStrip({ ...figures, alarm: "stuck 12 s" }, 27).bad.trim()).toBe("stuck 12 s");
    expect(layOutStrip({ ...figures, errorRate: 3, alarm: "stuck 12 s" }, 27).bad.trim()).toBe("stuck 12 s");
  });

  const apart = { ...figures, ran: 2900, waited: 97_000 };
  it("puts what ran and what was waited in the places of p50 and p99", () => {
    expect(layOutStrip(apart, 27)).toMatchObject({
      bright: "200              wait  97",
      dim: "   /s                    ms",
      // One column and a half free before it, and behind it.
      between: { at: 6.5, bright: "ran 2.9", dim: "       ms" },
    });
    const { bright, between } = layOutStrip({ ...apart, waited: null }, 27);
    expect([bright, between?.bright]).toEqual(["200", "ran 2.9"]);
  });

  it("keeps what ran where the node is narrow", () => {
    expect(layOutStrip(apart, 20).bright).toBe("200        ran 2.9");
    // Both would fit, with a column between them.
    expect(layOutStrip(apart, 26)).toMatchObject({ bright: "200              ran 2.9" });
    expect(layOutStrip(apart, 26).between).toBeUndefined();
  });

  it("says what expires where that is more than what fails, and goes on saying how long it waited", () => {
    const { bright, bad } = layOutStrip({ ...apart, rate: 80, expired: 519 }, 27);
    expect(bad.trim()).toBe("519/s late");
    expect(bright).toBe(" 80              wait  97");
    expect(layOutStrip({ ...apart, errorRate: 30, expired: 2 }, 27).bad.trim()).toBe("30/s err");
  });

  it("keeps a column free between what stands in the middle and what stands right", () => {
    // Nine columns between the rate and the right end's figure: the middle one would touch it.
    const { bright, dim } = layOutStrip({ ...apart, ran: 0.71 }, 25);
    expect(`${bright}|${dim}`).toBe("200             ran 710|   /s                  ns");
    expect(layOutStrip({ ...apart, errorRate: 1300 }, 26).bright).not.toContain("wait");
  });

  it("shows no time while there is none", () => {
    expect(layOutStrip({ rate: 0, errorRate: 0, p50: null, p99: null }, 27).bright).toBe("  0");
  });
});
