import { expect, test } from "vitest";
import { positionOf } from "./position.js";

test("a character of two units is one column, and half of one takes nothing else along", () => {
  expect(positionOf("😀😀x", 4)).toEqual({ line: 1, column: 3 });
  expect(positionOf("a\ud83d\nx", 3)).toEqual({ line: 2, column: 1 });
  expect(positionOf("\ud83dabc", 3)).toEqual({ line: 1, column: 4 });
});
