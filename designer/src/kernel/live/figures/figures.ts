import type { LiveLatency, LiveSchema, PoolAdapting } from "@penstock/codegen/contract";

/** What the screen shows of one thing, formed from totals; NaN and null stand for "no figure yet". */
export type LatencyFigures = LiveLatency;

/** Requests a second that were done without being served; NaN where the binary does not count them. */
export interface UnservedFigures {
  /** Their deadline passed in the queue, or while they ran. */
  expired: number;
  /** Their caller had given them up. */
  skipped: number;
  /** By a full queue. */
  refused: number;
}

/** The two parts of a latency; without figures where the binary does not tell them apart. */
export interface PartFigures {
  /** For their turn and in the queue. */
  wait: LatencyFigures;
  /** From the start of the handler to its end, its awaiting included. */
  run: LatencyFigures;
}

export interface ImplementationFigures extends LatencyFigures, UnservedFigures, PartFigures {
  name: string;
  /** Requests served a second. */
  rate: number;
  errorRate: number;
  /** Microseconds that it ran on average in the last seconds with a sample, a minute back at most. */
  ranLately: number | null;
}

/** Its latency is from call to answer. */
export interface ServiceFigures extends LatencyFigures, UnservedFigures, PartFigures {
  service: string;
  binary: string;
  /** Name of the pool that serves calls to it. */
  pool: string;
  /** Requests served a second. */
  rate: number;
  /** Those that expired or were refused count as errors as well. */
  errorRate: number;
  inFlight: number;
  /** Total of answers "not written yet". */
  unimplemented: number;
  /** False while the handler is as it was generated. */
  written: boolean;
  /** How long a handler of it has kept its thread, by the watchdog; 0 while none is stuck. */
  stuckMs: number;
  implementations: ImplementationFigures[];
}

export interface FlowFigures extends LatencyFigures {
  flow: string;
  binary: string;
  /** Events a second made by the source, ended well, ended in failure, refused. */
  emitted: number;
  completed: number;
  failed: number;
  dropped: number;
  inFlight: number;
  /** The kind of source that it runs with. */
  source: LiveSchema["flows"][number]["source"]["kind"];
  /** The source's set rate as the binary says; null where it keeps none, or no limit is set. */
  perSecond: number | null;
  stages: StageFigures[];
}

export interface StageFigures extends LatencyFigures, PartFigures {
  id: string;
  service: string;
  /** Events a second that its handler was run with. */
  rate: number;
  errorRate: number;
  /** Events a second whose deadline had passed when they came; NaN where the binary does not count them. */
  expired: number;
  /** Pool of its join; null when it runs fused behind the stage before. */
  pool: string | null;
  /** Of the virtual stage that begins here (it and what runs fused behind it): from its start to its end. */
  fused: LatencyFigures;
  /** The pool whose threads run it, its own join's or that of a stage before it. */
  runsOn: string;
}

export interface ThreadFigures {
  name: string;
  tid: number;
  /** CPUs as drawn (empty: anywhere) and as the kernel says. */
  asked: number[];
  actual: number[];
  /** Share of time at work and share of a CPU, 0 to 1. */
  busy: number;
  cpuShare: number;
  /** The CPU it was last seen on. */
  cpu: number;
  /** Context switches a second. */
  switches: number;
  /** Requests a second that it took from busy threads of its pool. */
  stolen: number;
}

export interface PoolFigures {
  pool: string;
  binary: string;
  threads: ThreadFigures[];
  /** Threads at work right now, and how many there are; of several processes all of theirs. */
  busy: number;
  count: number;
  /** How many each process has. */
  each: number;
  queued: number;
  /** So many may wait, in all processes. */
  queue: number;
  /** Callers held up by the full queue. */
  blocked: number;
  /** Requests a second that its idle threads took from busy ones. */
  stolen: number;
  /** Share of the threads' time at work over the last second, 0 to 1. */
  load: number;
  overflow: string;
  idle: string;
  priority: number;
  /** Null: its threads stay. */
  adaptive: PoolAdapting | null;
}

/** The links of a binary to another one that it calls. */
export interface LinkFigures {
  binary: string;
  /** `shm`: through memory of this host; `unix`: over a socket of it. */
  transport: string;
  /** Connections that stand. */
  open: number;
  /** Calls that no process of it takes yet. */
  waiting: number;
  /** Bytes a second. */
  sent: number;
  received: number;
  /** Connections that neither end meant to end, since the start. */
  broken: number;
  /** Of the last ping, microseconds. */
  roundTripUs: number | null;
  /** Of the last pings; null: there was none yet, or the binary is of a build before. */
  roundTripP50Us: number | null;
  roundTripP99Us: number | null;
  /** How many packets of the last seconds went again, in percent; null: too few went, or none can be lost. */
  resentPercent: number | null;
  /** Why no process of it is reached, while one is needed. */
  down: string | undefined;
}

export interface ProcessFigures {
  /** CPUs' worth of time, 1 = one CPU fully used. */
  cpu: number;
  rssBytes: number;
  threads: number;
  /** Of how many processes these are. */
  processes: number;
  runtime: string;
  pid: number;
  startedAtMs: number;
  topologyHash: string;
}
