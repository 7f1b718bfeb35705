import { quote } from "../../model/diagnostics/index.js";
import type { Position } from "../../model/text/index.js";

/** What was found, in words. */
export const found = (text: string): string => (text === "" ? "the end of the file" : quote(text));

/** The first place of an IDL file from which reading cannot go on. */
export class IdlError extends Error {
  readonly line: number;
  readonly column: number;

  constructor({ line, column }: Position, expected: string, instead: string) {
    super(`expected ${expected}, found ${instead}`);
    this.line = line;
    this.column = column;
  }
}
