import { parseArgs } from "node:util";
import { suggest } from "../../model/diagnostics/index.js";
import type { Command, OptionSpec } from "./command.js";
import { usageFailure } from "./failure.js";

export interface ParsedArguments {
  positionals: string[];
  values: Record<string, string | boolean | string[]>;
}

/** Options that every verb has. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: {
    type: "boolean",
    doc: "one JSON document on stdout (one object a line for run, monitor and serve)",
  },
  quiet: { type: "boolean", doc: "print results and problems only" },
  help: { type: "boolean", doc: "show this text" },
};

/** Keeps a negative number from being read as an option. */
const NEGATIVE = "\u0000";

/**
 * Splits a verb's arguments by its specs. Everything wrong is a usage failure that names what was
 * meant: unknown and repeated options, missing and surplus values, values outside `oneOf`.
 */
export function parseArguments(name: string, command: Command, args: readonly string[]): ParsedArguments {
  const specs = { ...command.options, ...COMMON_OPTIONS };
  const help = `\`penstock ${name} --help\` lists what it takes.`;
  const { tokens } = parseArgs({
    args: args.map((arg) => (/^-\d/.test(arg) ? NEGATIVE + arg : arg)),
    options: Object.fromEntries(
      Object.entries(specs).map(([option, { type, short }]) => [
        option,
        short === undefined ? { type } : { type, short },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const values: Record<string, string | boolean | string[]> = {};
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value.replace(NEGATIVE, ""));
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (spec === undefined || !(token.rawName.startsWith("--") || token.rawName === `-${spec.short}`)) {
      const near = suggest(token.name, Object.keys(specs));
      throw usageFailure(
        `${name} has no option ${token.rawName}`,
        near === undefined ? help : `Did you mean --${near}? ${help}`,
      );
    }
    if (Object.hasOwn(values, token.name) && spec.many !== true)
      throw usageFailure(`--${token.name} is given twice`, help);
    if (spec.type === "boolean") {
      if (token.value !== undefined) throw usageFailure(`--${token.name} takes no value`, help);
      values[token.name] = true;
      continue;
    }
    const value = token.value?.replace(NEGATIVE, "");
    if (value === undefined || value === "" || (token.inlineValue === false && value.startsWith("--"))) {
      throw usageFailure(`--${token.name} needs a value`, help);
    }
    if (spec.oneOf !== undefined && !spec.oneOf.includes(value)) {
      const near = suggest(value, spec.oneOf);
      throw usageFailure(
        `--${token.name} cannot be ${JSON.stringify(value)}`,
        `${near === undefined ? "" : `Did you mean ${near}? `}It is one of ${spec.oneOf.join(", ")}.`,
      );
    }
    if (spec.many === true) {
      const before = values[token.name];
      values[token.name] = [...(Array.isArray(before) ? before : []), value];
    } else values[token.name] = value;
  }
  const { min, max } = command.positionals;
  const asked = values["help"] === true;
  if (!asked && positionals.length < min)
    throw usageFailure(`${name} needs more arguments`, `Usage: penstock ${name} ${command.usage}`);
  if (!asked && positionals.length > max) {
    throw usageFailure(
      `${name} does not take ${JSON.stringify(positionals[max])}`,
      `Usage: penstock ${name} ${command.usage}`,
    );
  }
  return { positionals, values };
}

/** A whole number in a range, from an option's or a positional's text. */
export function wholeNumber(text: string, what: string, min: number, max: number): number {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw usageFailure(
      `${what} cannot be ${JSON.stringify(text)}`,
      `It is a whole number from ${min} to ${max}.`,
    );
  }
  return number;
}
