import { expect, test } from "vitest";
import { patienceOf } from "./patience.js";

test.each([
  [undefined, 1],
  ["20", 20],
  ["1.5", 1.5],
  ["0.1", 1],
  ["1e9", 1],
  ["long", 1],
  ["", 1],
])("PENSTOCK_PATIENCE=%s waits %d times as long", (value, factor) => {
  expect(patienceOf(value === undefined ? {} : { PENSTOCK_PATIENCE: value })).toBe(factor);
});
