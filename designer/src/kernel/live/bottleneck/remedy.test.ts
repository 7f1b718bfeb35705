import { describe, expect, it } from "vitest";
import { threadsFor } from "./remedy.js";

const demand = (arrivals: number, runMs: number, heldUp = false) => ({
  arrivals,
  runMicros: runMs * 1000,
  heldUp,
});

describe("the threads for what arrives", () => {
  it("are those busy on average and the square root of that, in words that add up", () => {
    expect(threadsFor(demand(600, 58), 6)).toEqual({
      threads: 41,
      how: "600/s × 58 ms = 35 busy on average, + 6 margin.",
    });
    expect(threadsFor(demand(100, 32), 3)).toEqual({
      threads: 5,
      how: "100/s × 32 ms = 3.2 busy on average, + 1.8 margin.",
    });
  });

  it("are never fewer than are needed, and more than there are", () => {
    for (const arrivals of [1, 10, 100, 1000, 5000])
      for (const now of [1, 4, 40]) {
        const { threads } = threadsFor(demand(arrivals, 20), now);
        expect(threads).toBeGreaterThan(arrivals * 0.02);
        expect(threads).toBeGreaterThan(now);
      }
  });

  it("are twice as many at least where arrivals are not seen", () => {
    expect(threadsFor(demand(100, 58, true), 6)).toEqual({
      threads: 12,
      how: "100/s × 58 ms = 5.8 busy on average, + 6.2 margin. Callers are held up, so more may come than is seen.",
    });
    expect(threadsFor(demand(Number.NaN, 58), 6).threads).toBe(12);
    expect(threadsFor(demand(0, Number.NaN), 6).how).toContain("not known");
  });

  it("are no more than a pool can have, which is said", () => {
    expect(threadsFor(demand(100_000, 58), 6)).toEqual({
      threads: 1024,
      how: "100k/s × 58 ms = 5800 busy on average: more than the 1024 a pool can have.",
    });
  });
});
