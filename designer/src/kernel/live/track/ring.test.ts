import { describe, expect, it } from "vitest";
import { Ring } from "./ring.js";

describe("Ring", () => {
  it("keeps the newest values, oldest first", () => {
    const ring = new Ring(3);
    for (const value of [1, 2, 3, 4, 5]) ring.push(value);
    expect(ring.length).toBe(3);
    expect(ring.tail(3)).toEqual([3, 4, 5]);
    expect(ring.at(0)).toBe(3);
    expect(ring.last()).toBe(5);
  });

  it("answers NaN outside of what it holds", () => {
    const ring = new Ring(4);
    expect(ring.last()).toBeNaN();
    ring.push(7);
    expect(ring.at(1)).toBeNaN();
    expect(ring.at(-1)).toBeNaN();
  });

  it("keeps wall clock seconds exact when wide", () => {
    const ring = new Ring(2, true);
    ring.push(1_795_000_000.125);
    expect(ring.last()).toBe(1_795_000_000.125);
  });
});
