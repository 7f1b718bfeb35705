import { z } from "zod";
import type { LiveRows, TraceCall, TraceStep } from "./liveRows.js";

/**
 * What a running binary says on `WS /live`, and what the server relays to browsers: first a
 * `schema` frame that gives every id its name, then `sample` frames with compact rows. A new
 * `schema` frame follows whenever threads, pins or rates change. Counters are totals since the
 * start of the process (rates are for the reader to form); times are microseconds unless the
 * name says otherwise; `null` stands for "no figure yet".
 */
export interface LiveSchema {
  type: "schema";
  version: 1;
  project: string;
  binary: string;
  /** Hash of the topology the binary was generated from (`sha256:` and 64 hex digits). */
  topologyHash: string;
  runtime: string;
  pid: number;
  /** Wall clock at start, milliseconds since the epoch. */
  startedAtMs: number;
  intervalMs: number;
  /** Sampled calls in 128. */
  sampling: number;
  services: {
    id: number;
    name: string;
    kind: string;
    pool: number;
    implementations: string[];
    written: boolean;
  }[];
  /** Those that other binaries run and count, and services of this one call. */
  remotes?: { id: number; name: string; binary: string }[] | undefined;
  /** The other binaries that this one calls. */
  links?: LinkName[] | undefined;
  calls: { id: number; from: number; to: number }[];
  flows: {
    id: number;
    name: string;
    /** `perSecond` is null where the source keeps no rate, or no limit is set. */
    source: { kind: string; perSecond: number | null };
    stages: {
      id: string;
      service: number;
      role: string;
      /** pool of its join, null when fused */ pool: number | null;
    }[];
  }[];
  pools: {
    id: number;
    name: string;
    queue: number;
    overflow: string;
    idle: string;
    priority: number;
    /** Threads come with work and leave again: of a join with `"threads": "cached"`. */
    cached?: true;
    /** Threads come and go within bounds. */
    adaptive?: PoolAdapting;
    /** As asked (empty: anywhere) and as the kernel says; `name` is the thread's name in /proc. */
    threads: { name: string; tid: number; asked: number[]; actual: number[] }[];
  }[];
  /** Where any are drawn. */
  rules?: PresetRuling[];
}

/** The links to one other binary. */
export interface LinkName {
  id: number;
  binary: string;
  /** `shm`: through memory of this host; `unix`: over a socket of it. */
  transport: string;
  /** Why no process of it is reached, while one is needed. */
  down?: string;
}

/** A rule that brings one of two presets into force by itself. */
export interface PresetRuling {
  /** The flow or service whose rate it watches. */
  of: string;
  below: { perSecond: number; preset: string };
  above: { perSecond: number; preset: string };
  /** So long a rate has to hold. */
  forSeconds: number;
  /** It is at work; it rests once a person has changed what its presets name. */
  on: boolean;
  /** Who changed that last. */
  by: "drawing" | "person" | "rule";
  /** That it brought into force, or found there; null: none yet, or somebody changed something since. */
  preset: string | null;
  /** Changes that it made since the start of the process. */
  switches: number;
  /** When it chose last. */
  perSecond: number;
  /** Why the binary refused what it chose last; it rests since then. */
  refused?: string;
}

/** A pool whose threads come and go within bounds. */
export interface PoolAdapting {
  from: number;
  to: number;
  /** Its controller is at work; it rests once a person has changed the pool. */
  on: boolean;
  /** Who changed the threads last. */
  by: "drawing" | "person" | "controller";
  /** Steps of the controller since the start of the process, one thread each. */
  steps: number;
  /** By the request that waited least, in the second before the last step. */
  waitedMs: number;
}

const count = z.number().int().nonnegative();
const text = z.string().max(4096);
const ruleSide = z.looseObject({ perSecond: z.number(), preset: text });

/** By their ids the names of all that is called: services, and those of other binaries. */
export const calledNames = ({ services, remotes = [] }: LiveSchema): Map<number, string> =>
  new Map([...services, ...remotes].map(({ id, name }) => [id, name]));

/** A newer runtime may say more than is read here. */
export const liveSchemaSchema: z.ZodType<LiveSchema> = z.looseObject({
  type: z.literal("schema"),
  version: z.literal(1),
  project: text,
  binary: text,
  topologyHash: text,
  runtime: text,
  pid: count,
  startedAtMs: z.number(),
  intervalMs: z.number().positive(),
  sampling: z.number(),
  services: z.array(
    z.looseObject({
      id: count,
      name: text,
      kind: text,
      pool: z.number(),
      implementations: z.array(text),
      written: z.boolean(),
    }),
  ),
  remotes: z.array(z.looseObject({ id: count, name: text, binary: text })).optional(),
  links: z
    .array(z.looseObject({ id: count, binary: text, transport: text, down: text.exactOptional() }))
    .optional(),
  calls: z.array(z.looseObject({ id: count, from: count, to: count })),
  flows: z.array(
    z.looseObject({
      id: count,
      name: text,
      source: z.looseObject({
        kind: text,
        perSecond: z.number().nullable(),
      }),
      stages: z.array(z.looseObject({ id: text, service: count, role: text, pool: z.number().nullable() })),
    }),
  ),
  pools: z.array(
    z.looseObject({
      id: count,
      name: text,
      queue: z.number(),
      overflow: text,
      idle: text,
      priority: z.number(),
      cached: z.literal(true).exactOptional(),
      adaptive: z
        .looseObject({
          from: count,
          to: count,
          on: z.boolean(),
          by: z.enum(["drawing", "person", "controller"]),
          steps: count,
          waitedMs: z.number(),
        })
        .exactOptional(),
      threads: z.array(
        z.looseObject({
          name: text,
          tid: z.number(),
          asked: z.array(z.number()),
          actual: z.array(z.number()),
        }),
      ),
    }),
  ),
  rules: z
    .array(
      z.looseObject({
        of: text,
        below: ruleSide,
        above: ruleSide,
        forSeconds: count,
        on: z.boolean(),
        by: z.enum(["drawing", "person", "rule"]),
        preset: text.nullable(),
        switches: count,
        perSecond: z.number(),
        refused: text.exactOptional(),
      }),
    )
    .exactOptional(),
});

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
