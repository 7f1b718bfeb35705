import { describe, expect, it } from "vitest";
import { changeEffect, effectWords, type Second } from "./changeEffect.js";

const seconds = (from: number, to: number, rate: number, p50: number, p99: number): Second[] =>
  Array.from({ length: to - from }, (_, index) => ({ at: from + index, rate, p50, p99 }));

describe("what a change did", () => {
  const before = seconds(0, 100, 80, 103_000, 203_000);

  it("is told once there are enough seconds since, those in which it settled not among them", () => {
    const settling = seconds(100, 103, 400, 80_000, 180_000);
    expect(changeEffect(before, 99.5)).toBeNull();
    expect(changeEffect([...before, ...settling, ...seconds(103, 107, 598, 59_000, 61_000)], 100)).toBeNull();
    const effect = changeEffect([...before, ...settling, ...seconds(103, 108, 598, 59_000, 61_000)], 100);
    expect(effect).toEqual({
      before: { rate: 80, p50: 103_000, p99: 203_000 },
      after: { rate: 598, p50: 59_000, p99: 61_000 },
    });
    expect(effectWords(effect!).join(", ")).toBe("80/s → 598/s, p50 103 ms → 59 ms, p99 203 ms → 61 ms");
  });

  it("is not judged by one odd second, by holes, or by what was before the change before", () => {
    const odd = [
      ...seconds(100, 103, 598, 59_000, 61_000),
      { at: 103, rate: 2, p50: Number.NaN, p99: 900_000 },
    ];
    const effect = changeEffect([...before, ...odd, ...seconds(104, 110, 598, 59_000, 61_000)], 100);
    expect(effect?.after).toEqual({ rate: 598, p50: 59_000, p99: 61_000 });
    const two = [
      ...seconds(0, 80, 10, 9, 9),
      ...seconds(80, 100, 80, 103_000, 203_000),
      ...seconds(100, 120, 1, 1, 1),
    ];
    expect(changeEffect(two, 100, 80)?.before.rate).toBe(80);
  });

  it("says where nothing changed, and what is not known", () => {
    const same = { rate: 80, p50: Number.NaN, p99: 100 };
    expect(effectWords({ before: same, after: same }).join(", ")).toBe(
      "80/s as before, p50 – as before, p99 100 µs as before",
    );
  });
});
