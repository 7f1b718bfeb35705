import { problem, quote, type Problem, type ProblemCode } from "../diagnostics/index.js";
import { decodeUtf8, positionOf } from "../text/index.js";
import { JsonScanner, JsonSyntaxError } from "./scanner.js";
import type { JsonObject, JsonValue } from "./value.js";

/** Nesting that a document may have, lists and objects together. */
export const MAX_DEPTH = 32;
/** Complaints after which reading stops: enough to be helpful, few enough to stay bounded. */
const MOST_COMPLAINTS = 100;
/** Keys through which a careless reader would reach a prototype. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Reads strict JSON: no comments, duplicate keys, bad UTF-8, lone surrogates, NUL, keys that name
 * prototypes, nor more than MAX_DEPTH levels; a byte order mark is accepted. Problems have pointer
 * "" with line and column. A value comes back only when there is none. Never throws; O(length).
 */
export function readJson(input: string | Uint8Array): { value?: JsonValue; problems: Problem[] } {
  const problems: Problem[] = [];
  let text: string;
  if (typeof input === "string") text = input;
  else {
    const decoded = decodeUtf8(input);
    if ("badByteAt" in decoded) {
      const utf16 =
        input.length > 1 && (input[0] === 0xff || input[0] === 0xfe) && input[0] + (input[1] ?? 0) === 0x1fd;
      const before = withoutMark(decoded.before);
      const message = utf16 ? "The file is UTF-16, not UTF-8" : "A byte that is not UTF-8";
      problems.push(problem("PS102", "", message, positionOf(before, before.length)));
      return { problems };
    }
    text = decoded.text;
  }
  text = withoutMark(text);

  const complain = (code: ProblemCode, message: string, offset: number): void => {
    problems.push(problem(code, "", message, positionOf(text, offset)));
    if (problems.length >= MOST_COMPLAINTS)
      throw new JsonSyntaxError("PS101", "More mistakes follow", offset);
  };
  const scanner = new JsonScanner(text, complain);
  try {
    const value = readValue(scanner, complain, 0);
    if (!Number.isNaN(scanner.peek())) scanner.unexpected("the end of the document");
    return problems.length === 0 ? { value, problems } : { problems };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    problems.push(problem(error.code, "", error.message, positionOf(text, error.offset)));
    return { problems };
  }
}

/** The text without a byte order mark. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

type ComplainAt = (code: ProblemCode, message: string, offset: number) => void;

function readValue(scanner: JsonScanner, complain: ComplainAt, depth: number): JsonValue {
  const unit = scanner.peek();
  if (unit === 0x22) return scanner.string();
  if (unit !== 0x7b && unit !== 0x5b) return scanner.literal();
  if (depth >= MAX_DEPTH)
    throw new JsonSyntaxError("PS108", `Nested deeper than ${MAX_DEPTH} levels`, scanner.at);
  scanner.at += 1;
  return unit === 0x7b ? readObject(scanner, complain, depth + 1) : readList(scanner, complain, depth + 1);
}

function readObject(scanner: JsonScanner, complain: ComplainAt, depth: number): JsonObject {
  const object: JsonObject = {};
  if (closes(scanner, 0x7d)) return object;
  for (;;) {
    if (scanner.peek() !== 0x22) scanner.unexpected("a key in double quotes");
    const keyAt = scanner.at;
    const key = scanner.string();
    if (scanner.peek() !== 0x3a) scanner.unexpected("':' after the key");
    scanner.at += 1;
    const value = readValue(scanner, complain, depth);
    if (REFUSED_KEYS.has(key)) complain("PS107", `The key ${quote(key)} is not allowed anywhere`, keyAt);
    else if (Object.hasOwn(object, key)) complain("PS104", `The key ${quote(key)} a second time`, keyAt);
    else object[key] = value;
    if (closes(scanner, 0x7d)) return object;
    comma(scanner, "',' or '}'", 0x7d);
  }
}

function readList(scanner: JsonScanner, complain: ComplainAt, depth: number): JsonValue[] {
  const list: JsonValue[] = [];
  if (closes(scanner, 0x5d)) return list;
  for (;;) {
    list.push(readValue(scanner, complain, depth));
    if (closes(scanner, 0x5d)) return list;
    comma(scanner, "',' or ']'", 0x5d);
  }
}

function closes(scanner: JsonScanner, bracket: number): boolean {
  if (scanner.peek() !== bracket) return false;
  scanner.at += 1;
  return true;
}

function comma(scanner: JsonScanner, expected: string, bracket: number): void {
  if (scanner.peek() !== 0x2c) scanner.unexpected(expected);
  const commaAt = scanner.at;
  scanner.at += 1;
  if (scanner.peek() === bracket)
    throw new JsonSyntaxError("PS101", "A comma with nothing behind it", commaAt);
}
