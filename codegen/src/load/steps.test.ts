import { expect, test } from "vitest";
import { Random, seedOf } from "../model/topology/testing/random.js";
import { dueWithin, isOver, lastWholeStep, lengthOf, rateIn } from "./steps.js";

const between = (random: Random, least: number, most: number): number =>
  least + random.below(most - least + 1);

const endless = { start: 200, step: 10, periodS: 10, most: null, forS: null };

test("should add ten events a second every ten seconds, as concor does", () => {
  const rates = [0, 9, 10, 19, 20, 189, 190].map((second) => rateIn(endless, second));
  expect(rates).toEqual([200, 200, 210, 210, 220, 380, 390]);
  expect(isOver(endless, 1e6)).toBe(false);
  expect(lengthOf(endless)).toBeNull();
});

test("should end after the whole of the step that reaches the last rate", () => {
  const limited = { ...endless, most: 225 };
  expect([20, 29, 30, 39].map((second) => rateIn(limited, second))).toEqual([220, 220, 225, 225]);
  expect([39, 40].map((second) => isOver(limited, second))).toEqual([false, true]);
  expect(lengthOf(limited)).toBe(40);
  expect(lengthOf({ ...limited, forS: 12 })).toBe(12);
  expect(isOver({ ...limited, forS: 12 }, 12)).toBe(true);
});

test("should hold a constant load for as long as it was told to", () => {
  const constant = { ...endless, step: 0, most: 500, forS: 30 };
  expect(rateIn(constant, 25)).toBe(200);
  expect([29, 30].map((second) => isOver(constant, second))).toEqual([false, true]);
  expect(lengthOf(constant)).toBe(30);
});

test("should count a step as held only when the whole of it was", () => {
  expect(lastWholeStep(endless, 9)).toBeNull();
  expect([10, 19, 20, 25].map((second) => lastWholeStep(endless, second))).toEqual([200, 200, 210, 210]);
});

test("should be over exactly when its length says so, whatever the settings", () => {
  const seed = seedOf(process.env["PENSTOCK_SEED"]);
  const random = new Random(seed);
  for (let round = 0; round < 500; round++) {
    const start = between(random, 1, 400) / 4;
    const settings = {
      start,
      step: between(random, 1, 40) / 4,
      periodS: between(random, 1, 7),
      most: start + between(random, 0, 120) / 4,
      forS: between(random, 0, 2) === 0 ? between(random, 1, 200) : null,
    };
    const length = lengthOf(settings) ?? 0;
    const why = `PENSTOCK_SEED=${seed} ${JSON.stringify(settings)}`;
    expect(isOver(settings, length), why).toBe(true);
    expect(isOver(settings, length - 1), why).toBe(false);
    expect(rateIn(settings, length - 1), why).toBeLessThanOrEqual(settings.most);
  }
});

test("should make every event due once, evenly, over any row of rates", () => {
  const seed = seedOf(process.env["PENSTOCK_SEED"]);
  const random = new Random(seed);
  for (let round = 0; round < 20; round++) {
    const rates = Array.from({ length: 12 }, () => between(random, 0, 3000) / between(random, 1, 40));
    const why = `PENSTOCK_SEED=${seed} ${rates.join(" ")}`;
    let before = 0;
    const moments: number[] = [];
    for (const [second, rate] of rates.entries()) {
      const within = [...dueWithin(before, rate)];
      expect(Math.abs(within.length - rate), why).toBeLessThanOrEqual(1);
      expect(
        within.every((share) => share >= 0 && share < 1),
        why,
      ).toBe(true);
      for (const [index, share] of within.entries())
        if (index > 0) expect(share - (within[index - 1] ?? 0), why).toBeCloseTo(1 / rate, 6);
      moments.push(...within.map((share) => second + share));
      before += rate;
    }
    expect(Math.abs(moments.length - before), why).toBeLessThanOrEqual(1);
    expect(moments, why).toEqual(moments.toSorted((one, other) => one - other));
  }
});
