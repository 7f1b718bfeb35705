import { suggest } from "../../model/diagnostics/index.js";
import {
  COMMAND_METHODS,
  COMMANDS,
  commandUsage,
  type AdaptAsked,
  type Command,
  type CommandMethod,
  type JoinAsked,
  type WordKind,
} from "../../contract/index.js";
import { LAST_CPU, OVERFLOW_POLICIES } from "../../model/topology/index.js";
import { wholeNumber } from "../verb/arguments.js";
import { usageFailure } from "../verb/failure.js";

/** A word of `penstock set`, `[...]` left out where it may be. */
const wordsOf = (method: CommandMethod): string[] => commandUsage(method).split(" ");

/** How many words a method takes at least and at most: those in brackets may be left out. */
function counts(method: CommandMethod): { least: number; most: number } {
  const words = wordsOf(method);
  return { least: words.filter((word) => !word.startsWith("[")).length, most: words.length };
}

const isMethod = (word: string): word is CommandMethod =>
  (COMMAND_METHODS as readonly string[]).includes(word);

function decimal(text: string, what: string): number {
  if (!/^-?\d{1,10}(\.\d{1,6})?$/.test(text)) {
    throw usageFailure(`${what} cannot be ${JSON.stringify(text)}`, "It is a number such as 200 or 0.5.");
  }
  return Number(text);
}

/** `0,2,5`; `any` for no pin. */
const cpuList = (text: string): number[] =>
  text === "any" ? [] : text.split(",").map((cpu) => wholeNumber(cpu, "a CPU", 0, LAST_CPU));

/** A pool's name, or threads of the join's own with their queue. */
function join(what: string, [queue, overflow]: readonly string[]): JoinAsked {
  const own = what === "cached" || /^-?\d/.test(what);
  if (!own) {
    if (queue !== undefined)
      throw usageFailure(
        `a join on the pool ${what} has no queue of its own`,
        "Leave the queue out, or give a number of threads in the place of the pool.",
      );
    return { pool: what };
  }
  return {
    threads: what === "cached" ? what : wholeNumber(what, "the number of threads", -1e9, 1e9),
    ...(queue === undefined ? {} : { queue: wholeNumber(queue, "the queue", -1e9, 1e9) }),
    ...(overflow === undefined ? {} : { overflow: oneOf(overflow, "the overflow", OVERFLOW_POLICIES) }),
  };
}

/** `2-32`, `on`, `off`. */
function adapt(text: string): AdaptAsked {
  if (text === "on" || text === "off") return text === "on";
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  if (from === undefined || to === undefined)
    throw usageFailure(
      `the bounds cannot be ${JSON.stringify(text)}`,
      "They are two numbers such as 2-32, on or off.",
    );
  return { from: Number(from), to: Number(to) };
}

const onOff = (text: string): boolean => oneOf(text, "the rule", ["on", "off"]) === "on";

function oneOf<T extends string>(text: string, what: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found === undefined)
    throw usageFailure(`${what} cannot be ${JSON.stringify(text)}`, `It is one of ${words.join(", ")}.`);
  return found;
}

/** How each kind of word is read; `rest` are the words behind it. */
const READ: Readonly<Record<WordKind, (text: string, called: string, rest: readonly string[]) => unknown>> = {
  name: (text) => text,
  whole: (text, called) => wholeNumber(text, called, -1e9, 1e9),
  decimal,
  cpus: cpuList,
  adapt,
  onOff,
  join: (text, _called, rest) => join(text, rest),
};

const build = (method: CommandMethod, words: readonly string[]): Command =>
  ({
    method,
    params: Object.fromEntries(
      COMMANDS[method].words.map(({ key, as, called = "" }, index) => [
        key,
        READ[as](words[index] ?? "", called, words.slice(index + 1)),
      ]),
    ),
  }) as Command;

/**
 * Splits the words of `penstock set`: an optional project, a method and its arguments. Only shapes
 * are checked here; ranges and names are the running binary's to judge.
 */
export function readControlCommand(words: readonly string[]): {
  project: string | undefined;
  command: Command;
} {
  const at = words.findIndex(isMethod);
  const method = words[at];
  if (method === undefined || !isMethod(method) || at > 1) {
    const wrong = words.find((word) => word.includes(".")) ?? words[0] ?? "";
    const near = suggest(wrong, COMMAND_METHODS);
    throw usageFailure(
      `there is no command ${JSON.stringify(wrong)}`,
      near === undefined
        ? `There are ${COMMAND_METHODS.join(", ")}.`
        : `Did you mean ${near} ${commandUsage(near as CommandMethod)}?`,
    );
  }
  const args = words.slice(at + 1);
  const { least, most } = counts(method);
  if (args.length < least || args.length > most) {
    throw usageFailure(
      `${method} is given ${args.length} ${args.length === 1 ? "argument" : "arguments"}`,
      `Usage: penstock set [PROJECT] ${method} ${commandUsage(method)}`,
    );
  }
  return { project: at === 1 ? words[0] : undefined, command: build(method, args) };
}
