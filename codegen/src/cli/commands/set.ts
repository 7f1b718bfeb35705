import {
  COMMAND_METHODS,
  commandUsage,
  threadWords,
  type AdaptInForce,
  type Command as ControlCommand,
  type JoinAsked,
  type JoinInForce,
  type RuleInForce,
} from "../../contract/index.js";
import { askBinary } from "../binaries/askBinary.js";
import type { Command } from "../verb/command.js";
import { readControlCommand } from "../binaries/controlCommand.js";
import { EXIT } from "../verb/exitCode.js";
import { projectPlace } from "../project/projectArgument.js";
import { ruleWords } from "../figures/ruleWords.js";
import { theRunningBinary } from "../binaries/runningBinaries.js";

const shown = (value: unknown): string =>
  Array.isArray(value) ? (value.length === 0 ? "any CPU" : `CPU ${value.join(",")}`) : String(value);

const joinAsked = (join: JoinAsked): string => {
  if ("pool" in join) return `pool ${join.pool}`;
  return join.threads === "cached" ? "cached threads of its own" : `${threadWords(join.threads)} of its own`;
};
const joinActual = ({ pool, threads: count }: JoinInForce): string =>
  pool === null ? "fused behind the stage before" : `${pool} with ${threadWords(count)}`;

/** What was asked and what is in force: as fields of the document, and in words. */
function outcome(asked: ControlCommand, result: unknown): { asked: unknown; actual: unknown; words: string } {
  if (asked.method === "join.set" || asked.method === "join.remove") {
    const { tookMs, ...actual } = result as JoinInForce;
    const join = asked.method === "join.set" ? asked.params.join : null;
    const words = `asked ${join === null ? "no join" : joinAsked(join)}, actual ${joinActual({ ...actual, tookMs })}`;
    return { asked: join, actual, words: `${words}, in force after ${tookMs.toFixed(1)} ms` };
  }
  if (asked.method === "pool.adapt") {
    const { from, to, on, threads: now } = result as AdaptInForce;
    const words = on ? `${from} to ${to} threads` : "threads that stay";
    return {
      asked: asked.params.adapt,
      actual: { from, to, on, threads: now },
      words: `${words}, ${now} now`,
    };
  }
  if (asked.method === "rule.set") {
    const { on, preset } = result as RuleInForce;
    return { asked: asked.params.on, actual: { on, preset }, words: ruleWords({ on, preset }) };
  }
  const { asked: wanted, actual } = result as { asked: unknown; actual: unknown };
  return { asked: wanted, actual, words: `asked ${shown(wanted)}, actual ${shown(actual)}` };
}

/** `penstock set`: a control command on the running binary; answers when it is in force. */
export const command: Command = {
  usage: "[PROJECT] COMMAND ARGUMENTS [--binary NAME]",
  doc: `Changes the running binary and says what was asked and what is in force. Commands:\n${COMMAND_METHODS.map(
    (method) => `  ${method} ${commandUsage(method)}`,
  ).join("\n")}`,
  positionals: { min: 1, max: 7 },
  options: { binary: { type: "string", value: "NAME", doc: "which binary, when several run" } },
  examples: [
    "penstock set ads pool.resize front 4",
    "penstock set pool.adapt models 2-32",
    "penstock set rule.set Impressions on",
    "penstock set pool.pin front 0 0,1",
    "penstock set source.set Impressions 500",
    "penstock set join.set Impressions log 4",
    "penstock set join.remove Impressions log",
  ],
  async run({ positionals, value, output }) {
    const { project, command: asked } = readControlCommand(positionals);
    const place = projectPlace(project);
    const running = await theRunningBinary(place.dir, value("binary"));
    const result = await askBinary(running, ({ command: ask }) => ask(asked.method, asked.params));
    const { words, ...said } = outcome(asked, result);
    output.document({
      ok: true,
      problems: [],
      binary: running.binary,
      method: asked.method,
      params: asked.params,
      ...said,
    });
    output.result(`${asked.method}: ${words}`);
    return EXIT.done;
  },
};
