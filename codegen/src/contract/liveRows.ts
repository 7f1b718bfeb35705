/**
 * How a cell of one row comes from those of several processes: `k` names what the row is of; `c` counts since the start,
 * `g` is how many there are now, both summed; `v` counts too, and its mean over the processes is told; `w` is a mean that
 * each process weighs in by what it did; `x` is the greatest; `f` that of the first.
 */
export type Cell = "k" | "c" | "g" | "v" | "w" | "x" | "f";

/** A cell and its name, which has `?` where binaries built before leave the cell out; numbers, unless it says `|text`. */
type NamedCell = `${Cell} ${string}`;

/** The rows of one list. */
export interface RowKind {
  /** Whose a row is: its first cell of kind `k` has the id, of a stage that and the next. */
  of: "service" | "flow" | "stage" | "call" | "pool" | "link";
  /** Left out by binaries built before it was sent, or while there is nothing to say. */
  optional?: true;
  /** Rows of several processes stand one after the other. */
  apart?: true;
  cells: readonly NamedCell[];
  /** The cells of `LATENCY` follow. */
  latency?: true;
  /** What the cells mean, for people. */
  says: string;
}

/** Percentiles of several processes lie between theirs: the mean of p50, of the higher ones the greatest. */
const LATENCY = ["w p50|null", "x p90|null", "x p99|null", "x max|null", "w mean?|null"] as const;
const PART = ["k service", "k index|null"] as const;
const STAGE = ["k flow", "k index"] as const;

const ROWS = {
  services: {
    of: "service",
    cells: ["k id", "c requests", "c errors", "g inFlight", "c unimplemented"],
    latency: true,
    says: "requests done, errors, requests in flight, answers `not written yet`; latency from call to answer",
  },
  implementations: {
    of: "service",
    cells: ["k service", "k index", "c requests", "c errors"],
    latency: true,
    says: "the same of each implementation",
  },
  calls: { of: "call", cells: ["k id", "c count", "c errors"], says: "calls made, errors" },
  flows: {
    of: "flow",
    cells: ["k id", "c emitted", "c completed", "c failed", "c dropped", "g inFlight"],
    latency: true,
    says: "what became of events; latency of whole events",
  },
  stages: {
    of: "stage",
    cells: [...STAGE, "c count", "c errors"],
    latency: true,
    says: "events done, errors; latency of waiting and running",
  },
  waits: {
    of: "flow",
    cells: STAGE,
    latency: true,
    optional: true,
    says: "time that events waited at the stage for their turn and in the queue",
  },
  runs: {
    of: "flow",
    cells: STAGE,
    latency: true,
    optional: true,
    says: "time from the start of the stage's handler to its end, its awaiting included",
  },
  stageOutcomes: {
    of: "flow",
    cells: [...STAGE, "c served", "c expired"],
    optional: true,
    says: "events that the stage's handler was run with, and those it was not because their deadline had passed; together those done",
  },
  fused: {
    of: "flow",
    cells: STAGE,
    latency: true,
    optional: true,
    says: "of stages that run fused, by the first: time from the start of its handler until the event left the last one",
  },
  outcomes: {
    of: "service",
    cells: [...PART, "c served", "c expired", "c skipped", "c refused"],
    optional: true,
    says: "how requests ended, together those done, of the whole service (`index` is null) and, where it has several, of each implementation: served (by an answer or an error of the handler, while somebody wanted it), expired (the deadline passed before, in the queue or while it ran), skipped (its caller had given it up), refused (by a full queue or a pool that stops)",
  },
  serviceWaits: {
    of: "service",
    cells: PART,
    latency: true,
    optional: true,
    says: "time that requests waited for their turn and in the queue, of those that had one before them",
  },
  serviceRuns: {
    of: "service",
    cells: PART,
    latency: true,
    optional: true,
    says: "time from the start of the handler to its end",
  },
  pools: {
    of: "pool",
    cells: ["k id", "g queued", "g busy", "g threads", "g blocked", "c stolen?"],
    says: "queue depth, busy threads, threads, callers blocked on the full queue, requests that idle threads took from busy ones",
  },
  threads: {
    of: "pool",
    cells: ["k pool", "k index", "v busyNs", "v cpuNs", "v voluntary", "v involuntary", "f cpu", "v stolen?"],
    says: "time at work and on a CPU, context switches, last CPU, requests that it took from busy threads of its pool",
  },
  stuck: {
    of: "service",
    cells: ["f pool", "f thread", "k service", "g forMs"],
    apart: true,
    optional: true,
    says: "handlers that have kept their thread busy for longer than the binary's `watchdogMs`, while there is one",
  },
  links: {
    of: "link",
    cells: [
      "k id",
      "g open",
      "g waiting",
      "c sentBytes",
      "c receivedBytes",
      "c broken",
      "w roundTripUs|null",
      "w resentPercent?|null",
      "w roundTripP50Us?|null",
      "x roundTripP99Us?|null",
    ],
    optional: true,
    says: "connections that stand, calls that no process of the other binary takes yet, bytes, connections that neither end meant to end, time that the last ping took, how many of the packets of the last seconds went again, in percent (null: too few, or nothing that can be lost), percentiles of the time that the last pings took",
  },
} as const satisfies Record<string, RowKind>;

/** The rows of one event's way, as the process says them that tells of it. */
const WAY = {
  steps: {
    of: "flow",
    cells: ["f stage", "f pool", "f thread", "f atUs", "f waitUs", "f runUs", "f failed"],
    says: "what each stage did with the event, in the order of their ends, of a fan-out in all its branches: index of the stage, where it ran, microseconds since the event was emitted, waited, ran; 1 when it failed there",
  },
  calls: {
    of: "service",
    cells: [
      "f parent",
      "f service",
      "f implementation",
      "f pool|null",
      "f thread|null",
      "f atUs",
      "f waitUs|null",
      "f runUs|null",
      "f failed",
    ],
    optional: true,
    says: "calls on behalf of the event: who made it (index into the steps; from their number on, into the calls before it), where it ran (null: it had not begun), microseconds since the event was emitted, waited, ran (null: it had not begun, or not ended), 1 when it failed",
  },
} as const satisfies Record<string, RowKind>;

/** The rows of an event's way in `traces`, each once. */
export const TRACE_ROWS: Readonly<Record<keyof typeof WAY, RowKind>> = WAY;

/** The rows of the way of a question: who asks knows no ids, so they have names. */
const ASKED = {
  of: "service",
  cells: [
    "f parent|null",
    "f service|text",
    "f implementation|text",
    "f thread|text",
    "f atUs",
    "f waitUs|null",
    "f runUs|null",
    "f failed",
  ],
  optional: true,
  says: "the question, and the calls that it led to, each behind who made it: who that was (index into the rows; null: this is the question), which implementation (empty: its service has but one), its thread as in `front·0` (empty: it had not begun), microseconds since the question, waited, ran (null: it had not begun, or not ended), 1 when it failed",
} as const satisfies RowKind;

/** The rows of the end of a `service.call`. */
export const ASKED_ROWS: Readonly<Record<"trace", RowKind>> = { trace: ASKED };

type Rows = typeof ROWS;
export type RowName = keyof Rows;

/** The rows of a sample, each once: what reads, filters, sums and relays samples goes by this. */
export const LIVE_ROWS: Readonly<Record<RowName, RowKind>> = ROWS;
export const ROW_NAMES = Object.keys(ROWS) as RowName[];

type Cut<Text extends string, End extends string> = Text extends `${infer Start}${End}` ? Start : Text;
type NameOf<C> = C extends `${Cell} ${infer Name}` ? Cut<Cut<Name, `|${string}`>, "?"> : never;
type ValueOf<C> = C extends `${string}|text` ? string : C extends `${string}|null` ? number | null : number;
type Optional = `${string}?${string}`;

/** Cells as they are sent, in order. */
type CellsOf<Cells> = Cells extends readonly [infer First, ...infer Rest]
  ? [...(First extends Optional ? [ValueOf<First>?] : [ValueOf<First>]), ...CellsOf<Rest>]
  : [];
type RowCells<Kind extends RowKind> = [
  ...CellsOf<Kind["cells"]>,
  ...(Kind extends { latency: true } ? CellsOf<typeof LATENCY> : []),
];
type OptionalName = { [Name in RowName]: Rows[Name] extends { optional: true } ? Name : never }[RowName];

/** The lists of rows of a sample as they are sent. */
export type LiveRows = { [Name in Exclude<RowName, OptionalName>]: RowCells<Rows[Name]>[] } & {
  [Name in OptionalName]?: RowCells<Rows[Name]>[];
};

/** Of the last second's sampled times, microseconds; null: no figure, as the mean of binaries that do not send it. */
export type LiveLatency = Record<NameOf<(typeof LATENCY)[number]>, number | null>;

type RowOf<Kind extends RowKind> = {
  readonly [C in Kind["cells"][number] as NameOf<C>]: ValueOf<C> | (C extends Optional ? undefined : never);
} & (Kind extends { latency: true } ? { readonly latency: LiveLatency } : unknown);

/** A row by the names of its cells. */
export type LiveRow<Name extends RowName> = RowOf<Rows[Name]>;

/** As they are sent, and by the names of their cells. */
export type TraceStep = RowCells<(typeof WAY)["steps"]>;
export type TraceCall = RowCells<(typeof WAY)["calls"]>;
export type TraceStepRow = RowOf<(typeof WAY)["steps"]>;
export type TraceCallRow = RowOf<(typeof WAY)["calls"]>;
export type AskedCall = RowCells<typeof ASKED>;
export type AskedCallRow = RowOf<typeof ASKED>;

/** The names of a row's cells in order, as people read them: with `?` where one may be left out. */
export const cellNames = ({ cells, latency }: RowKind): string[] =>
  [...cells, ...(latency ? LATENCY : [])].map((cell) => cell.slice(2).replace(/\|.*/, ""));

const kindsOf = ({ cells, latency }: RowKind): string =>
  [...cells, ...(latency ? LATENCY : [])].map(([kind]) => kind).join("");

/** What each cell of a row is, a letter of `Cell`. */
export const CELL_KINDS = Object.fromEntries(
  ROW_NAMES.map((name) => [name, kindsOf(LIVE_ROWS[name])]),
) as Readonly<Record<RowName, string>>;
