import { expect, test } from "vitest";
import { ByteBudget } from "./byteBudget.js";

test("what is sent within a window is read up to the budget, and goes on with the next window", () => {
  let now = 0;
  const budget = new ByteBudget(100, 500, () => now);
  expect([budget.take(60), budget.take(40)]).toEqual([0, 0]);
  now = 200;
  expect(budget.take(1)).toBe(300);
  now = 500;
  expect(budget.take(100)).toBe(0);
  expect(budget.take(100)).toBe(500);
});
