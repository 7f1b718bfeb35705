import { type SettingFormat, renameParameter, renamePiece } from "../manifests/index.js";
import { changeEntries } from "./changeSettings.js";

/** A text of a setting in which fields of the request are named, after one of them is called otherwise. */
export function renameRequestField(format: SettingFormat, text: string, from: string, to: string): string {
  if (format === "field-of-request") return text === from ? to : text;
  if (format === "text" || format === "url") return renamePiece(text, from, to);
  if (format === "sql") return renameParameter(text, from, to);
  return format === "cpp-expression" ? renameMember(text, from, to) : text;
}

/** The field of the event in C++: `request.text`, and nothing else of that name. */
const renameMember = (code: string, from: string, to: string): string =>
  changeCode(code, `(?<!\\w|\\.|->|::)request\\s*\\.\\s*${from}\\b`, (piece) =>
    piece.replace(/\w+$/, () => to),
  );

/** The value of an enum in C++: `Tier::PAID`. */
export const renameEnumerator = (code: string, type: string, from: string, to: string): string =>
  changeCode(code, `\\b${type}\\s*::\\s*${from}\\b`, (piece) => piece.replace(/\w+$/, () => to));

/** A type of the drawing in C++: `Tier`, `shop::Tier`, and no other's of that name. */
export const renameType = (code: string, project: string, from: string, to: string): string =>
  changeCode(code, `(?<!\\w|\\.|->|::\\s*)(?:(?:::\\s*)?\\b${project}\\s*::\\s*)?${from}\\b`, (piece) =>
    piece.replace(/\w+$/, () => to),
  );

/** The namespace of the project in C++: `shop::Tier`. */
export const renameNamespace = (code: string, from: string, to: string): string =>
  changeCode(code, `(?<!\\w|\\.|->|::\\s*)(?:::\\s*)?${from}(?=\\s*::)`, (piece) =>
    piece.replace(/\w+$/, () => to),
  );

/** `change` of what matches in an expression, outside of literals. */
const changeCode = (code: string, pattern: string, change: (piece: string) => string): string =>
  code.replace(
    new RegExp(
      `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)+'|(?<!\\w)\\.?\\d(?:[eEpP][+-]|'?[\\w.])*|(${pattern})`,
      "g",
    ),
    (piece, found: string | undefined) => (found === undefined ? piece : change(piece)),
  );

/** How a value is made, after `change` of the texts among its choices and of its expression. */
export function changeGenerator(
  generator: unknown,
  change: { choice?: (value: unknown) => unknown; expression?: (code: string) => string },
): unknown {
  if (typeof generator !== "object" || generator === null || Array.isArray(generator)) return generator;
  return changeEntries(generator as Record<string, unknown>, (way, value) => {
    if (way === "choice" && change.choice && Array.isArray(value)) {
      const next = value.map(change.choice);
      return [way, next.every((item, at) => item === value[at]) ? value : next];
    }
    const code = way === "expression" && change.expression && typeof value === "string";
    return [way, code ? change.expression!(value) : value];
  });
}
