import { z } from "zod";
import { FASTEST_RATE, threadName, type joinSchema } from "../model/topology/index.js";

/** How a word of `penstock set` is read; a join takes the words behind it along. */
export type WordKind = "name" | "whole" | "decimal" | "cpus" | "join" | "adapt" | "onOff";

/** A change of a running binary, asked as JSON-RPC 2.0 on `WS /live`; its row here and its handler in the binary are all of it. */
interface CommandRow<Params, Result> {
  does: string;
  /** Names and ranges are the running binary's to judge. */
  params: z.ZodType<Params>;
  result: z.ZodType<Result>;
  /** What it is given on the command line, in order. */
  words: readonly { word: string; key: string; as: WordKind; called?: string }[];
  /** What the change is called on charts and in logs; of one number also from what it was changed, where that is known. */
  label: (params: Params, before?: number) => string;
}

const row = <Params, Result>(command: CommandRow<Params, Result>): CommandRow<Params, Result> => command;

const name = (word: string, key: string) => ({ word, key, as: "name" }) as const;
const whole = (word: string, key: string, called: string) => ({ word, key, as: "whole", called }) as const;
/** `4 threads`, `1 thread`. */
export const threadWords = (count: number): string => `${count} ${count === 1 ? "thread" : "threads"}`;

const from = (before: number | undefined, said: (before: number) => string = String): string =>
  before === undefined ? "" : `${said(before)} → `;
const rateWords = (perSecond: number): string => (perSecond === FASTEST_RATE ? "no limit" : `${perSecond}/s`);

const numbers = z.looseObject({ asked: z.number(), actual: z.number() });
const cpuLists = z.looseObject({ asked: z.array(z.number()), actual: z.array(z.number()) });

/** Bounds of a pool's threads, or whether its controller is to work within those that it has. */
const adaptAsked = z.union([z.boolean(), z.strictObject({ from: z.number(), to: z.number() })]);
export type AdaptAsked = z.infer<typeof adaptAsked>;
const adapting = z.looseObject({
  from: z.number(),
  to: z.number(),
  /** The controller is at work. */
  on: z.boolean(),
  /** Now. */
  threads: z.number(),
});
export type AdaptInForce = Pick<z.infer<typeof adapting>, "from" | "to" | "on" | "threads">;

const ruling = z.looseObject({
  /** The rule is at work. */
  on: z.boolean(),
  /** That it brought into force; null: none, or something was changed since. */
  preset: z.string().nullable(),
});
export type RuleInForce = Pick<z.infer<typeof ruling>, "on" | "preset">;

const adaptLabel = (adapt: AdaptAsked): string => {
  if (typeof adapt === "object") return `${adapt.from} to ${adapt.to} threads`;
  return adapt ? "threads come and go" : "threads stay";
};

type OwnJoin = Exclude<z.infer<typeof joinSchema>, { pool: string }>;
/** A join as it is asked for: what is left out has its default. */
export type JoinAsked = { pool: string } | (Pick<OwnJoin, "threads"> & Partial<OwnJoin>);
const joinAsked: z.ZodType<JoinAsked> = z.union([
  z.strictObject({ pool: z.string() }),
  z.strictObject({
    threads: z.union([z.int(), z.literal("cached")]),
    queue: z.int().exactOptional(),
    overflow: z.enum(["block", "reject", "shed-oldest"]).exactOptional(),
  }),
]);
const joinInForce = z.looseObject({
  /** Null: no join, it runs fused behind the stage before it. */
  pool: z.string().nullable(),
  /** Of that pool; 0 when fused. */
  threads: z.number(),
  /** Until the change was in force. */
  tookMs: z.number(),
});
/** Where a stage runs once a change of its join is in force. */
export type JoinInForce = Pick<z.infer<typeof joinInForce>, "pool" | "threads" | "tookMs">;

/** A source's rate times so much; without a limit it stays so. */
export const rateTimes = (perSecond: number, times: number): number =>
  perSecond >= FASTEST_RATE ? perSecond : perSecond * times;

const joinLabel = (join: JoinAsked): string => {
  if ("pool" in join) return `join on ${join.pool}`;
  return join.threads === "cached" ? "join with cached threads" : `join with ${threadWords(join.threads)}`;
};

export const COMMANDS = {
  "pool.resize": row({
    does: "gives a pool another number of threads",
    params: z.strictObject({ pool: z.string(), threads: z.number() }),
    result: numbers,
    words: [name("POOL", "pool"), whole("THREADS", "threads", "the number of threads")],
    label: ({ pool, threads }, before) => `${pool}: ${from(before)}${threadWords(threads)}`,
  }),
  "pool.adapt": row({
    does: "lets the threads of a pool come and go within bounds; `off`: they stay, `on`: within the bounds that it has",
    params: z.strictObject({ pool: z.string(), adapt: adaptAsked }),
    result: adapting,
    words: [name("POOL", "pool"), { word: "FROM-TO|on|off", key: "adapt", as: "adapt" }],
    label: ({ pool, adapt }) => `${pool}: ${adaptLabel(adapt)}`,
  }),
  "rule.set": row({
    does: "lets the rule of a flow or service bring presets into force by itself, or rest",
    params: z.strictObject({ rule: z.string(), on: z.boolean() }),
    result: ruling,
    words: [name("FLOW|SERVICE", "rule"), { word: "on|off", key: "on", as: "onOff" }],
    label: ({ rule, on }) => `rule of ${rule}: ${on ? "at work" : "at rest"}`,
  }),
  "pool.pin": row({
    does: "pins a thread of a pool to CPUs; to none: it runs anywhere",
    params: z.strictObject({ pool: z.string(), thread: z.number(), cpus: z.array(z.number()) }),
    result: cpuLists,
    words: [
      name("POOL", "pool"),
      whole("THREAD", "thread", "the thread"),
      { word: "CPUS|any", key: "cpus", as: "cpus" },
    ],
    label: ({ pool, thread, cpus }) =>
      `${threadName(pool, thread)} → ${cpus.length > 0 ? `CPU ${cpus.join(", ")}` : "any CPU"}`,
  }),
  "source.set": row({
    does: "sets how many events a second the source of a flow makes",
    params: z.strictObject({ flow: z.string(), perSecond: z.number() }),
    result: numbers,
    words: [
      name("FLOW", "flow"),
      { word: "EVENTS_PER_SECOND", key: "perSecond", as: "decimal", called: "the rate" },
    ],
    label: ({ flow, perSecond }, before) => `${flow}: ${from(before, rateWords)}${rateWords(perSecond)}`,
  }),
  "sampling.set": row({
    does: "sets of how many calls in 128 times are taken, 0 (off) to 128",
    params: z.strictObject({ per128: z.number() }),
    result: numbers,
    words: [whole("CALLS_IN_128", "per128", "the sampling")],
    label: ({ per128 }, before) => `sampling ${from(before)}${per128} in 128`,
  }),
  "join.set": row({
    does: "puts a join into the slot before a stage, or changes the one that is there",
    params: z.strictObject({ flow: z.string(), stage: z.string(), join: joinAsked }),
    result: joinInForce,
    words: [
      name("FLOW", "flow"),
      name("STAGE", "stage"),
      { word: "POOL|THREADS|cached [QUEUE [OVERFLOW]]", key: "join", as: "join" },
    ],
    label: ({ stage, join }) => `${stage}: ${joinLabel(join)}`,
  }),
  "join.remove": row({
    does: "takes a join out: the stage runs fused behind the one before it, the first of a flow on the pool of its service",
    params: z.strictObject({ flow: z.string(), stage: z.string() }),
    result: joinInForce,
    words: [name("FLOW", "flow"), name("STAGE", "stage")],
    label: ({ stage }) => `${stage}: no join`,
  }),
};

export type CommandMethod = keyof typeof COMMANDS;
export const COMMAND_METHODS = Object.keys(COMMANDS) as CommandMethod[];

/** Parameters and results by method. */
export type CommandMap = {
  [M in CommandMethod]: {
    params: z.infer<(typeof COMMANDS)[M]["params"]>;
    result: z.infer<(typeof COMMANDS)[M]["result"]>;
  };
};
/** A command with its parameters, ready to be asked. */
export type Command = { [M in CommandMethod]: { method: M; params: CommandMap[M]["params"] } }[CommandMethod];

/** `POOL THREADS`: what a method is given on the command line. */
export const commandUsage = (method: CommandMethod): string =>
  COMMANDS[method].words.map(({ word }) => word).join(" ");
