import { describe, expect, it } from "vitest";
import { formatBytes, formatDuration, formatMicros, formatRate, formatShare, words } from "./format.js";

const rate = (value: number | null) => words(formatRate(value));
const time = (value: number | null) => words(formatMicros(value));

describe("figures", () => {
  it.each([
    [0, "0/s"],
    [0.02, "<0.1/s"],
    [9.4, "9.4/s"],
    [9.97, "10/s"],
    [421.4, "421/s"],
    [999.7, "1.00k/s"],
    [12_345, "12.3k/s"],
    [999_600, "1.00M/s"],
    [35_000_000, "35.0M/s"],
    [2e9, "2.00G/s"],
    [Number.NaN, "–/s"],
    [null, "–/s"],
  ])("reads %s events a second as %s", (value, expected) => expect(rate(value)).toBe(expected));

  it.each([
    [0.17, "170 ns"],
    [3.14, "3.1 µs"],
    [41, "41 µs"],
    [999.6, "1.0 ms"],
    [3100, "3.1 ms"],
    [148_000, "148 ms"],
    [999_700, "1.0 s"],
    [12_345_000, "12 s"],
    [null, "–"],
  ])("reads %s microseconds as %s", (value, expected) => expect(time(value)).toBe(expected));

  it("never needs more than three characters for a time or four for a rate", () => {
    for (let exponent = -3; exponent < 9; exponent++)
      for (const digits of [1, 1.25, 4.4444, 9.949, 9.96, 9.996]) {
        const value = digits * 10 ** exponent;
        expect(formatMicros(value).digits.length, `time ${value}`).toBeLessThanOrEqual(exponent > 7 ? 4 : 3);
        expect(formatRate(value).digits.length, `rate ${value}`).toBeLessThanOrEqual(4);
      }
  });

  it("reads shares, bytes and durations", () => {
    expect(words(formatShare(0.974))).toBe("97 %");
    expect(words(formatBytes(320))).toBe("320 B");
    expect(words(formatBytes(999.7))).toBe("1 kB");
    expect(words(formatBytes(18_000_000))).toBe("18 MB");
    expect(words(formatBytes(1_800_000_000))).toBe("1.8 GB");
    expect(formatDuration(134_000)).toBe("2 m 14 s");
    expect(formatDuration(41_900)).toBe("41 s");
    expect(formatDuration(3 * 3600_000 + 5 * 60_000)).toBe("3 h 5 m");
  });
});
