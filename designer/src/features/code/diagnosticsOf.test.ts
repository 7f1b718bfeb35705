import { Text } from "@codemirror/state";
import type { Problem } from "@penstock/codegen/diagnostics";
import { describe, expect, it } from "vitest";
import { diagnosticsOf } from "./diagnosticsOf.js";

const text = Text.of(["int main() {", "  offer.scor > 1;", "}"]);
const problem = (part: Partial<Problem>): Problem => ({
  code: "PS850",
  severity: "error",
  message: "no member",
  pointer: "",
  help: "",
  file: "src/a.cpp",
  ...part,
});
const marked = (part: Partial<Problem>) =>
  diagnosticsOf("src/a.cpp", [problem(part)], text).map(({ from, to }) => text.sliceString(from, to));

describe("diagnosticsOf", () => {
  it("marks the word at the column", () => expect(marked({ line: 2, column: 9 })).toEqual(["scor"]));
  it("marks a sign that is no word", () => expect(marked({ line: 2, column: 14 })).toEqual([">"]));
  it("marks the line when the column is past its end", () =>
    expect(marked({ line: 3, column: 99 })).toEqual(["}"]));
  it("keeps to the text when it has become shorter", () =>
    expect(marked({ line: 40, column: 1 })).toEqual(["}"]));
  it("leaves other files and problems without a line alone", () => {
    expect(marked({ file: "src/b.cpp", line: 1 })).toEqual([]);
    expect(marked({})).toEqual([]);
  });
});
