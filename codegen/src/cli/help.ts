import { COMMON_OPTIONS } from "./verb/arguments.js";
import type { Command, OptionSpec } from "./verb/command.js";
import { VERBS } from "./verbs.js";

const columns = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
};

const optionRow = ([name, spec]: [string, OptionSpec]): [string, string] => [
  (spec.short === undefined ? "" : `-${spec.short}, `) +
    (spec.type === "string" ? `--${name} ${spec.oneOf?.join("|") ?? spec.value ?? "VALUE"}` : `--${name}`),
  spec.doc,
];

export function generalHelp(): string {
  return [
    "penstock: draw a flow, get a C++ binary, watch it run",
    "",
    "Usage: penstock VERB [ARGUMENTS] [--json] [--quiet] [--help]",
    "",
    columns(Object.entries(VERBS).map(([name, verb]) => [name, verb.summary])),
    "",
    "A PROJECT is a folder with a topology.json, or that file; left out, the current folder.",
    "`penstock VERB --help` explains one verb; `penstock --version` prints the version.",
  ].join("\n");
}

export function verbHelp(name: string, command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(optionRow);
  const examples =
    command.examples.length === 0 ? [] : ["", "Examples:", ...command.examples.map((line) => `  ${line}`)];
  return [
    `Usage: penstock ${name} ${command.usage}`.trimEnd(),
    "",
    command.doc,
    "",
    columns(options),
    ...examples,
  ].join("\n");
}
