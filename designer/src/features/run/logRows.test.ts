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
const letters = { cell: 7, names: 4 };
const box = { width: 28 + indentOf("shop", letters) + 10 * 7 + 6, ...letters };

it("knows how many rows each line takes, without it being in the page", () => {
  const lines = ["", "0123456789", "0123456789a", "x".repeat(31)].map((text) => line(text));
  expect(startsOf(lines, box)).toEqual([0, 1, 2, 4, 8]);
});

it("breaks between words, and within those alone that are longer than a row", () => {
  const rows = (text: string) => startsOf([line(text)], box)[1];
  expect(rows("0123 56789")).toBe(1);
  expect(rows("0123 567890")).toBe(2);
  // Three rows: the word in the middle has no room beside the others.
  expect(rows("a234567 b2345 c234567")).toBe(3);
  expect(rows("ab 0123456789012 4")).toBe(3);
  expect(rows("ab 01234567890123 456789")).toBe(4);
  expect(rows("front-models-server")).toBe(3);
  expect(rows("-1 -2 -3 -4 -5")).toBe(2);
});

it("has blanks beyond the end of a row where they are at it, and tabs as wide as they may be", () => {
  expect(startsOf([line("0123456789     ab"), line("\t\t\t")], box)).toEqual([0, 2, 3]);
  expect(startsOf([line("a\tb"), line("ab\tb")], box)).toEqual([0, 1, 3]);
});

it("leaves a text less room beside a longer name, and at least a character", () => {
  expect(startsOf([line("0123456789", "n".repeat(16))], box)).toEqual([0, 2]);
  expect(startsOf([line("0123", "n".repeat(99))], box)).toEqual([0, 4]);
});

it("begins the texts of all processes one below the other, but of a name that is very long", () => {
  const of = { cell: 7, names: "models-server.2".length };
  expect(indentOf("shop", of)).toBe(indentOf("models-server.2", of));
  expect(indentOf("models-server.2", of)).toBe(12 * 7 + 12 + 15 * 7 + 12);
  const wide = { cell: 7, names: 99 };
  expect(indentOf("shop", wide)).toBe(12 * 7 + 12 + 32 * 7 + 12);
  expect(indentOf("n".repeat(99), wide)).toBe(12 * 7 + 12 + 99 * 7 + 12);
});

it("takes a row a line until it is known how wide a character is", () => {
  expect(startsOf([line("x".repeat(99)), line("")], { width: 0, cell: 0, names: 0 })).toEqual([0, 1, 2]);
});

it("finds the line that a row is of", () => {
  const starts = [0, 1, 4, 5];
  expect([0, 1, 3, 4, 5, 99].map((row) => lineAt(starts, row))).toEqual([0, 1, 1, 2, 2, 2]);
});
