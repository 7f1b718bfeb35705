import { COLUMN_LIMIT } from "./escape/wrapWords.js";

/**
 * A declaration as clang-format lays it out: on one line where it fits, else broken after `open`
 * (which ends with its parenthesis) with its arguments on a line of their own.
 */
export function fitCall(indent: number, open: string, args: string, close: string): string {
  const pad = " ".repeat(indent);
  const line = `${pad}${open}${args}${close}`;
  return line.length <= COLUMN_LIMIT ? line : `${pad}${open}\n${pad}    ${args}${close}`;
}

/** A call with its arguments on one line, or filled into lines under the first one. */
export function fitArguments(open: string, args: readonly string[], close = ");"): string {
  const line = `${open}${args.join(", ")}${close}`;
  if (line.length <= COLUMN_LIMIT) return line;
  const widest = Math.max(...args.map((arg) => arg.length));
  if (open.length + widest + 2 <= COLUMN_LIMIT) return fillUnder(open, args, close);
  return fillUnder(`${open}\n      `, args, close);
}

/** `open`, the arguments in as few lines as they need, aligned to the first one, `close`. */
export function fillUnder(open: string, args: readonly string[], close: string): string {
  const indent = " ".repeat(open.length - (open.lastIndexOf("\n") + 1));
  const lines: string[] = [];
  let current = "";
  args.forEach((arg, index) => {
    const text = arg + (index === args.length - 1 ? close : ",");
    if (current !== "" && indent.length + current.length + 1 + text.length > COLUMN_LIMIT) {
      lines.push(current);
      current = text;
    } else current += current === "" ? text : ` ${text}`;
  });
  return open + [...lines, current].join(`\n${indent}`);
}
