import { z } from "zod";
import type { LiveRows, TraceCall, TraceStep } from "./liveRows.js";
import { keepsRate, STANDARD_SOURCES } from "../model/sources/index.js";

const count = z.number().int().nonnegative();
const text = z.string().max(4096);

const linkName = z.object({
  id: count,
  binary: text,
  /** `shm`: through memory of this host; `unix`: over a socket of it. */
  transport: text,
  /** Why no process of it is reached, while one is needed. */
  down: text.exactOptional(),
});

/** The links to one other binary. */
export type LinkName = z.infer<typeof linkName>;

const ruleSide = z.object({ perSecond: z.number(), preset: text });

const presetRuling = z.object({
  /** The flow or service whose rate it watches. */
  of: text,
  below: ruleSide,
  above: ruleSide,
  /** So long a rate has to hold. */
  forSeconds: count,
  /** It is at work; it rests once a person has changed what its presets name. */
  on: z.boolean(),
  /** Who changed that last. */
  by: z.enum(["drawing", "person", "rule"]),
  /** That it brought into force, or found there; null: none yet, or somebody changed something since. */
  preset: text.nullable(),
  /** Changes that it made since the start of the process. */
  switches: count,
  /** When it chose last. */
  perSecond: z.number(),
  /** Why the binary refused what it chose last; it rests since then. */
  refused: text.exactOptional(),
});

/** A rule that brings one of two presets into force by itself. */
export type PresetRuling = z.infer<typeof presetRuling>;

const poolAdapting = z.object({
  from: count,
  to: count,
  /** Its controller is at work; it rests once a person has changed the pool. */
  on: z.boolean(),
  /** Who changed the threads last. */
  by: z.enum(["drawing", "person", "controller"]),
  /** Steps of the controller since the start of the process, one thread each. */
  steps: count,
  /** By the request that waited least, in the second before the last step. */
  waitedMs: z.number(),
});

/** A pool whose threads come and go within bounds. */
export type PoolAdapting = z.infer<typeof poolAdapting>;

/** What a newer runtime says besides is not read. */
export const liveSchemaSchema = z.object({
  type: z.literal("schema"),
  version: z.literal(1),
  project: text,
  binary: text,
  /** Hash of the topology the binary was generated from (`sha256:` and 64 hex digits). */
  topologyHash: text,
  runtime: text,
  pid: count,
  /** Wall clock at start, milliseconds since the epoch. */
  startedAtMs: z.number(),
  intervalMs: z.number().positive(),
  /** Sampled calls in 128. */
  sampling: z.number(),
  services: z.array(
    z.object({
      id: count,
      name: text,
      kind: text,
      pool: z.number(),
      implementations: z.array(text),
      written: z.boolean(),
    }),
  ),
  /** Those that other binaries run and count, and services of this one call. */
  remotes: z.array(z.object({ id: count, name: text, binary: text })).optional(),
  /** The other binaries that this one calls. */
  links: z.array(linkName).optional(),
  calls: z.array(z.object({ id: count, from: count, to: count })),
  flows: z.array(
    z.object({
      id: count,
      name: text,
      /** `perSecond` is null where the source keeps no rate, or no limit is set. */
      source: z.object({ kind: text, perSecond: z.number().nullable() }),
      /** `pool` is that of its join, null when fused. */
      stages: z.array(z.object({ id: text, service: count, role: text, pool: z.number().nullable() })),
    }),
  ),
  pools: z.array(
    z.object({
      id: count,
      name: text,
      queue: z.number(),
      overflow: text,
      idle: text,
      priority: z.number(),
      /** Threads come with work and leave again: of a join with `"threads": "cached"`. */
      cached: z.literal(true).exactOptional(),
      /** Threads come and go within bounds. */
      adaptive: poolAdapting.exactOptional(),
      /** As asked (empty: anywhere) and as the kernel says; `name` is the thread's name in /proc. */
      threads: z.array(
        z.object({ name: text, tid: z.number(), asked: z.array(z.number()), actual: z.array(z.number()) }),
      ),
    }),
  ),
  /** Where any are drawn. */
  rules: z.array(presetRuling).exactOptional(),
});

/**
 * What a running binary says on `WS /live`, and what the server relays to browsers: first a
 * `schema` frame that gives every id its name, then `sample` frames with compact rows. A new
 * `schema` frame follows whenever threads, pins or rates change. Counters are totals since the
 * start of the process (rates are for the reader to form); times are microseconds unless the
 * name says otherwise; `null` stands for "no figure yet".
 */
export type LiveSchema = z.infer<typeof liveSchemaSchema>;

/** By their ids the names of all that is called: services, and those of other binaries. */
export const calledNames = ({ services, remotes = [] }: LiveSchema): Map<number, string> =>
  new Map([...services, ...remotes].map(({ id, name }) => [id, name]));

/** What stands in its lists of rows says `liveRows.ts`, which reads them too. */
export interface LiveSample extends LiveRows {
  type: "sample";
  /** Milliseconds since the start of the process (monotonic). */
  t: number;
  seq: number;
  /** Of each flow the sampled event that ended last, while that is not long ago; it may come again. */
  traces?: EventTrace[];
  /** `processes`: of how many processes of the binary the rows are the sum; left out: one says them itself. */
  process: { cpuNs: number; rssBytes: number; threads: number; processes?: number };
}

/**
 * The way of one event: flow id, when it was emitted (milliseconds on the clock of `t`; with the flow this
 * names the event), microseconds until its end, how it ended, and its rows, which `liveRows.ts` names
 */
export type EventTrace = [
  flow: number,
  startedMs: number,
  totalUs: number,
  outcome: "completed" | "failed" | "dropped",
  steps: TraceStep[],
  /** Binaries built before they were sent leave them out. */
  calls?: TraceCall[],
];

export type LiveFrame = LiveSchema | LiveSample;

type RunningSource = LiveSchema["flows"][number]["source"];

/** A source of a project's own that keeps a rate says which one it has. */
const makesAtRate = ({ kind, perSecond }: RunningSource): boolean => {
  const manifest = STANDARD_SOURCES.get(kind);
  return manifest === undefined ? perSecond !== null : keepsRate(manifest) === "must";
};

/** Flows whose source makes events at a rate that can be set, rather than reading them no faster than at one. */
export const loadableFlows = ({ flows }: Pick<LiveSchema, "flows">): string[] =>
  flows.filter(({ source }) => makesAtRate(source)).map(({ name }) => name);
