import type { LogLine } from "@penstock/codegen/contract";
import { expect, it } from "vitest";
import { indentOf, lineAt, startsOf } from "./logRows.js";

const line = (text: string, binary = "shop"): LogLine => ({
  seq: 0,
  atMs: 0,
  binary,
  stream: "stdout",
  text,
});
/** Ten characters of text in a row. */
const box = { width: 28 + indentOf("shop", 7) + 10 * 7 + 6, cell: 7 };

it("knows how many rows each line takes, without it being in the page", () => {
  const lines = ["", "0123456789", "0123456789a", "x".repeat(31)].map((text) => line(text));
  expect(startsOf(lines, box)).toEqual([0, 1, 2, 4, 8]);
  expect(startsOf([line("a\tb"), line("\t\t")], box)).toEqual([0, 1, 3]);
});

it("leaves a text less room beside a longer name, and at least a character", () => {
  expect(startsOf([line("0123456789", "n".repeat(16))], box)).toEqual([0, 2]);
  expect(startsOf([line("0123", "n".repeat(99))], box)).toEqual([0, 4]);
});

it("takes a row a line until it is known how wide a character is", () => {
  expect(startsOf([line("x".repeat(99)), line("")], { width: 0, cell: 0 })).toEqual([0, 1, 2]);
});

it("finds the line that a row is of", () => {
  const starts = [0, 1, 4, 5];
  expect([0, 1, 3, 4, 5, 99].map((row) => lineAt(starts, row))).toEqual([0, 1, 1, 2, 2, 2]);
});
