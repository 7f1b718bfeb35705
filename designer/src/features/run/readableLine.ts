import { COMMANDS, threadWords } from "@penstock/codegen/contract";
import type { CommandMethod, LogLine } from "@penstock/codegen/contract";
import { formatMicros, words } from "../../kernel/live/figures/format.js";

/** A line with what it says in words, and as it was printed where that is something else. */
export type ReadableLine = LogLine & { printed?: string };

type Told = Readonly<Record<string, unknown>>;
const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "?";

/** `in force`, or the code of why it is not. */
const outcome = ({ result }: Told): string =>
  result === "in force" ? "in force" : `refused (${text(result)})`;

/** What was asked, or became of it, beside what it was; undefined: the binary is of a build that does not tell. */
function change(method: CommandMethod, { params, before, actual }: Told): string | undefined {
  const { params: known, words: asked, label } = COMMANDS[method];
  const number = asked.at(-1)?.key ?? "";
  const said = known.safeParse(params);
  if (!said.success) return undefined;
  const wanted = (said.data as Told)[number];
  const other = typeof actual === "number" && actual !== wanted;
  return (
    label(
      (other ? { ...said.data, [number]: actual } : said.data) as never,
      typeof before === "number" ? before : undefined,
    ) + (other ? ` (${text(wanted)} asked)` : "")
  );
}

/** What a binary tells of being changed (runtime-cpp/penstock/control/audit_log.hpp), by its event. */
const WORDS: Readonly<Record<string, (told: Told) => string>> = {
  command: (told) => {
    const method = text(told["method"]);
    if (Object.hasOwn(COMMANDS, method)) {
      const changed = change(method as CommandMethod, told);
      if (changed === undefined) return `live change ${method}: ${outcome(told)}`;
      return `${changed}, ${told["result"] === "in force" ? "by a live change" : `live change ${outcome(told)}`}`;
    }
    return `asked ${method}: ${told["result"] === "in force" ? "answered" : outcome(told)}`;
  },
  adapted: ({ pool, from, to, waitedMs }) =>
    `${text(pool)}: ${text(from)} → ${threadWords(Number(to))}, by itself` +
    (typeof waitedMs === "number" && waitedMs > 0
      ? ` (what came had waited ${words(formatMicros(waitedMs * 1000))})`
      : ""),
  switched: (told) =>
    `rule of ${text(told["rule"])}: preset ${text(told["preset"])} ${outcome(told)}, at ${text(told["perSecond"])}/s`,
  refused: ({ status, reason, leftOut }) =>
    `turned away (${text(status)}): ${text(reason)}${leftOut === undefined ? "" : `; ${text(leftOut)} before it are not told`}`,
};

function worded({ stream, text: printed }: LogLine): string | undefined {
  if (stream !== "stderr" || !printed.startsWith('{"event":"')) return undefined;
  try {
    const told = JSON.parse(printed) as Told;
    const event = text(told["event"]);
    return Object.hasOwn(WORDS, event) && "atMs" in told ? WORDS[event]?.(told) : undefined;
  } catch {
    return undefined;
  }
}

const known = new WeakMap<LogLine, ReadableLine>();

/** What a binary writes for programs is said in words; all else is as it was printed. The same line for the same one. */
export function readableLine(line: LogLine): ReadableLine {
  let read = known.get(line);
  if (read === undefined) {
    const said = worded(line);
    read = said === undefined ? line : { ...line, text: said, printed: line.text };
    known.set(line, read);
  }
  return read;
}
