import { z } from "zod";
import { isSample } from "./liveRows.js";

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

/** p50, p90, p99, max and mean of the last second's sampled latencies in microseconds. */
export type LatencyCells = [
  p50: number | null,
  p90: number | null,
  p99: number | null,
  max: number | null,
  /** Binaries built before it was sent leave it out. */
  mean?: number | null,
];

export interface LiveSample {
  type: "sample";
  /** Milliseconds since the start of the process (monotonic). */
  t: number;
  seq: number;
  /** service id, requests done, errors, in flight, unimplemented answers, latency */
  services: [
    id: number,
    requests: number,
    errors: number,
    inFlight: number,
    unimplemented: number,
    ...LatencyCells,
  ][];
  /** service id, implementation index, requests done, errors, latency */
  implementations: [service: number, index: number, requests: number, errors: number, ...LatencyCells][];
  /** call id, calls made, errors */
  calls: [id: number, count: number, errors: number][];
  /** flow id, events emitted, completed, failed, dropped, in flight, latency of whole events */
  flows: [
    id: number,
    emitted: number,
    completed: number,
    failed: number,
    dropped: number,
    inFlight: number,
    ...LatencyCells,
  ][];
  /** flow id, stage index, events done, errors, latency (waiting and running) */
  stages: [flow: number, index: number, count: number, errors: number, ...LatencyCells][];
  /** flow id, stage index, time that events waited there for their turn and in the queue */
  waits?: [flow: number, index: number, ...LatencyCells][];
  /** flow id, stage index, time from the start of the handler to its end, its awaiting included */
  runs?: [flow: number, index: number, ...LatencyCells][];
  /**
   * flow id, stage index, events that its handler was run with, and those it was not because their deadline
   * had passed; together they are the stage's events done
   */
  stageOutcomes?: [flow: number, index: number, served: number, expired: number][];
  /**
   * Of each virtual stage (stages that run fused): flow id, index of its first stage, time from the start of
   * that one's handler until the event left the last one
   */
  fused?: [flow: number, first: number, ...LatencyCells][];
  /**
   * How requests ended, together the requests done: service id, implementation index (null: the whole
   * service; the others only where it has several), served (by an answer or an error of the handler, while
   * somebody wanted it), expired (the deadline passed before, in the queue or while it ran), skipped (its
   * caller had given it up), refused (by a full queue or a pool that stops)
   */
  outcomes?: [
    service: number,
    index: number | null,
    served: number,
    expired: number,
    skipped: number,
    refused: number,
  ][];
  /** service id, implementation index (null as above), time that requests waited for their turn and in the queue, of those that had one before them */
  serviceWaits?: [service: number, index: number | null, ...LatencyCells][];
  /** service id, implementation index (null as above), time from the start of the handler to its end */
  serviceRuns?: [service: number, index: number | null, ...LatencyCells][];
  /**
   * pool id, queue depth, busy threads, threads, callers blocked on the full queue, requests that idle
   * threads took from busy ones (binaries built before it was counted leave it out)
   */
  pools: [id: number, queued: number, busy: number, threads: number, blocked: number, stolen?: number][];
  /**
   * pool id, thread index, busy nanoseconds, cpu nanoseconds, voluntary and involuntary context switches,
   * last CPU, requests that it took from busy threads of its pool (as above)
   */
  threads: [
    pool: number,
    index: number,
    busyNs: number,
    cpuNs: number,
    voluntary: number,
    involuntary: number,
    cpu: number,
    stolen?: number,
  ][];
  /**
   * Handlers that have kept their thread busy for longer than the binary's `watchdogMs`, while there
   * is one: pool id, thread index, service id, milliseconds
   */
  stuck?: [pool: number, thread: number, service: number, forMs: number][];
  /**
   * link id, connections that stand, calls that no process of the other binary takes yet, bytes sent and
   * received, connections that neither end meant to end, microseconds that the last ping took
   */
  links?: [
    id: number,
    open: number,
    waiting: number,
    sentBytes: number,
    receivedBytes: number,
    broken: number,
    roundTripUs: number | null,
  ][];
  /** Of each flow the sampled event that ended last, while that is not long ago; it may come again. */
  traces?: EventTrace[];
  /** `processes`: of how many processes of the binary the rows are the sum; left out: one says them itself. */
  process: { cpuNs: number; rssBytes: number; threads: number; processes?: number };
}

/**
 * The way of one event: flow id, when it was emitted (milliseconds on the clock of `t`; with the flow this
 * names the event), microseconds until its end, how it ended, and what each stage did with it in the order of
 * their ends; a fan-out has the steps of all its branches
 */
export type EventTrace = [
  flow: number,
  startedMs: number,
  totalUs: number,
  outcome: "completed" | "failed" | "dropped",
  steps: TraceStep[],
  /** Calls that the stages made, and calls of those. Binaries built before they were sent leave them out. */
  calls?: TraceCall[],
];
/** stage index, pool id and thread index where it ran, microseconds since the event was emitted, waited, ran; 1 when it failed there */
export type TraceStep = [
  stage: number,
  pool: number,
  thread: number,
  atUs: number,
  waitUs: number,
  runUs: number,
  failed: 0 | 1,
];

/**
 * A call on behalf of the event: who made it (index into the steps; from their number on, into the calls
 * before it), service id, implementation index, pool id and thread index where it ran (null: it had not
 * begun), microseconds since the event was emitted, waited, ran (null: it had not begun, or not ended), 1 when
 * it failed
 */
export type TraceCall = [
  parent: number,
  service: number,
  implementation: number,
  pool: number | null,
  thread: number | null,
  atUs: number,
  waitUs: number | null,
  runUs: number | null,
  failed: 0 | 1,
];

/** Samples come ten times a second and may have thousands of rows: checked by hand. */
export const liveSampleSchema = z.custom<LiveSample>(isSample, "no sample");

export type LiveFrame = LiveSchema | LiveSample;
