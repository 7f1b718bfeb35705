import type { z } from "zod";
import {
  pointerOf,
  problem,
  quote,
  quoteList,
  suggest,
  suggestionBudget,
  type Problem,
  type SuggestionBudget,
} from "../../diagnostics/index.js";
import { isJsonObject, type JsonValue } from "../../json/index.js";
import { knownKeys, subjectAt } from "./knownKeys.js";
import { nodeAtPath } from "../places/nodeAtPath.js";

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];

/** Problems listed at most: a document that is wrong everywhere must not take seconds to say so. */
const MOST_LISTED = 2000;

/**
 * What zod found wrong with the shape of `document`, in our own words and places: an unknown key
 * points at itself, a missing one at the object that lacks it, and null is never "left out".
 */
export function shapeProblems(document: JsonValue, issues: readonly Issue[]): Problem[] {
  const problems: Problem[] = [];
  const budget = suggestionBudget();
  for (const issue of issues) {
    for (const found of issueProblems(document, issue, [], budget)) problems.push(found);
    if (problems.length < MOST_LISTED) continue;
    problems.push(problem("PS133", "", `More than ${MOST_LISTED} mistakes: the rest is not listed`));
    break;
  }
  return problems;
}

function issueProblems(document: JsonValue, issue: Issue, prefix: Path, budget: SuggestionBudget): Problem[] {
  const path = [...prefix, ...(issue.path as Path)];
  const value = valueAt(document, path);
  const node = nodeAtPath(document, path);
  const at = node === undefined ? {} : { node };
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MOST_LISTED).map((key) => unknownKey(document, path, key, value, at, budget));
  if (value === undefined) {
    const holder = path.slice(0, -1);
    const key = String(path[path.length - 1]);
    return [
      problem("PS121", pointerOf(...holder), `${subjectOf(document, holder)} has no ${quote(key)}`, at),
    ];
  }
  const key = path.length === 0 ? "The document" : quote(String(path[path.length - 1]));
  if (value === null)
    return [problem("PS124", pointerOf(...path), `${key} is null; leave the key out instead`, at)];
  if (issue.code === "invalid_union") {
    const branch = nearestBranch(issue);
    if (branch !== undefined) return branch.flatMap((inner) => issueProblems(document, inner, path, budget));
  }
  if (issue.code === "custom")
    return [problem("PS501", pointerOf(...path), `${key} says ${issue.message}`, at)];
  const wanted = expected(issue);
  if (wanted.choices !== undefined && typeof value === "string") {
    const meant = suggest(value, wanted.choices, budget);
    const help =
      meant === undefined ? `Use one of ${quoteList(wanted.choices)}.` : `Did you mean ${quote(meant)}?`;
    const message = `${key} is ${quote(value)}, not one of ${quoteList(wanted.choices)}`;
    return [problem("PS123", pointerOf(...path), message, { ...at, help })];
  }
  const help = `Write ${wanted.text}.`;
  return [
    problem("PS122", pointerOf(...path), `${key} is ${kindOf(value)}, not ${wanted.text}`, { ...at, help }),
  ];
}

function unknownKey(
  document: JsonValue,
  path: Path,
  key: string,
  holder: unknown,
  at: { node?: string },
  budget: SuggestionBudget,
): Problem {
  const pointer = pointerOf(...path, key);
  const message = `${subjectOf(document, path)} has no key ${quote(key)}`;
  if (path[path.length - 1] === "join" && isJsonObject(holder) && Object.hasOwn(holder, "pool"))
    return problem("PS120", pointer, message, {
      ...at,
      help: 'A join on a pool has no other key (queue and overflow are the pool\'s): remove this one, or remove "pool".',
    });
  const meant = suggest(key, knownKeys(path), budget);
  return problem(
    "PS120",
    pointer,
    message,
    meant === undefined ? at : { ...at, help: `Did you mean ${quote(meant)}?` },
  );
}

/** The issues of the branch of a union that the value was most likely meant for; undefined when none is. */
function nearestBranch(issue: Extract<Issue, { code: "invalid_union" }>): readonly Issue[] | undefined {
  const deeper = issue.errors.filter((branch) =>
    branch.every((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys"),
  );
  const mismatches = (branch: readonly Issue[]): number =>
    branch.reduce((sum, inner) => sum + (inner.code === "unrecognized_keys" ? inner.keys.length : 1), 0);
  return deeper.toSorted((a, b) => mismatches(a) - mismatches(b))[0];
}

/** What an issue asks for, in words, and the choices where there are some. */
function expected(issue: Issue): { text: string; choices?: string[] } {
  if (issue.code === "invalid_value") {
    const choices = issue.values.map(String);
    return {
      text: choices.length === 1 ? JSON.stringify(issue.values[0]) : `one of ${quoteList(choices)}`,
      choices,
    };
  }
  if (issue.code === "invalid_union") {
    if ("options" in issue && Array.isArray(issue.options)) {
      const choices = issue.options.map(String);
      return { text: `one of ${quoteList(choices)}`, choices };
    }
    const texts = issue.errors.flatMap((branch) => branch.map((inner) => expected(inner).text));
    return { text: [...new Set(texts)].join(" or ") };
  }
  if (issue.code === "invalid_type") return { text: TYPE_WORDS[issue.expected] ?? issue.expected };
  if (issue.code === "too_big" || issue.code === "too_small")
    return { text: "a whole number that can be held exactly" };
  return { text: "a value of the format" };
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  if (typeof value === "string") return `the string ${quote(value)}`;
  return String(value);
}

/** Follows own keys and indexes only. */
function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** The object at `path` as the start of a sentence, by its name where it has one. */
function subjectOf(document: JsonValue, path: Path): string {
  const value = valueAt(document, path);
  const name = isJsonObject(value) ? (value["name"] ?? value["id"]) : undefined;
  return typeof name === "string" && path.length > 0
    ? `${subjectAt(path)} ${quote(name)}`.replace(/^An? /, "The ")
    : subjectAt(path);
}
