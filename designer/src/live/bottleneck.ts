import type { PoolFigures, ServiceFigures } from "./figures.js";
import { formatDuration, formatMicros, formatShare, words } from "./format.js";

/** One look at a pool; about one a second is enough. */
export interface PoolObservation {
  atMs: number;
  busy: number;
  threads: number;
  /** Share of the threads' time at work, 0 to 1; NaN while unknown. */
  load: number;
  queued: number;
  queue: number;
  blocked: number;
  /** Requests done a second by the services on this pool. */
  doneRate: number;
}

/** A service on a pool, called there or as a stage. */
export interface PoolWork extends Pick<ServiceFigures, "service" | "p50" | "rate" | "implementations"> {
  stage?: { flow: string; id: string };
  /** Its time includes the wait in the queue of the pool: the stage behind a join. */
  waits?: boolean;
}

export interface PoolHistory {
  binary: string;
  pool: string;
  /** Oldest first. */
  observations: readonly PoolObservation[];
  /** What runs on it: services that are called there, stages in the order of their flows. */
  services: readonly PoolWork[];
  /** Names of services on the pool that never run twice at once: more threads do not help them. */
  exclusive: ReadonlySet<string>;
  /** CPUs' worth of time that the pool's threads use, and what the machine has. */
  cpuUsed: number;
  cpus: number;
}

export interface Bottleneck {
  binary: string;
  pool: string;
  services: string[];
  /** The stages among them. */
  stages: { flow: string; id: string }[];
  /** How long it has been so. */
  sinceMs: number;
  threads: number;
  /** 0 to 1. */
  queueFill: number;
  /** Sentences for the card. */
  reason: string;
  /** Threads that would carry what arrives; null when more threads would not help. */
  useThreads: number | null;
  /** What to do instead, where threads are not the answer. */
  advice: string;
}

const SATURATED = 0.95;
const WINDOW_MS = 5000;
const MOST_THREADS = 1024;

const isFull = (look: PoolObservation): boolean =>
  look.threads > 0 && (look.load >= SATURATED || (Number.isNaN(look.load) && look.busy >= look.threads));

/** Waiting work, or callers held up: a busy pool alone is a well used pool. */
const hasPressure = (look: PoolObservation): boolean => look.blocked > 0 || look.queued > look.threads;

/**
 * Names a pool as the bottleneck: all its threads at work for the last five seconds while the
 * queue grew, is nearly full, or holds callers up. Null when it is not (or not yet known).
 */
export function findBottleneck(history: PoolHistory): Bottleneck | null {
  const { observations } = history;
  const last = observations.at(-1);
  if (!last) return null;
  const recent = observations.filter((look) => last.atMs - look.atMs <= WINDOW_MS);
  const first = recent[0]!;
  if (recent.length < 4 || last.atMs - first.atMs < WINDOW_MS - 1500) return null;
  if (recent.filter((look) => !isFull(look)).length > 1 || !hasPressure(last)) return null;

  const seconds = (last.atMs - first.atMs) / 1000;
  const growth = (last.queued - first.queued) / seconds;
  const fill = last.queue > 0 ? Math.min(1, last.queued / last.queue) : 0;
  // A queue that never empties costs every request a wait, also when deadlines keep it from growing.
  const least = Math.min(...recent.map((look) => look.queued));
  const standing = fill >= 0.5 || last.blocked > 0 || least >= 2 * last.threads;
  if (growth <= 0 && !standing) return null;

  let since = last.atMs;
  for (let index = observations.length - 1; index >= 0; index--) {
    const look = observations[index]!;
    if (!isFull(look)) break;
    since = look.atMs;
  }
  const work = culprits(history, last);
  const { useThreads, advice } = remedy(history, last, growth, fill);
  return {
    binary: history.binary,
    pool: history.pool,
    services: [...new Set(work.map((one) => one.service))],
    stages: work.flatMap(({ stage }) => (stage ? [stage] : [])),
    sinceMs: last.atMs - since,
    threads: last.threads,
    queueFill: fill,
    reason: reason(history, work, last, last.atMs - since, fill),
    useThreads,
    advice,
  };
}

/**
 * Threads for what wants to run at once. Arrivals over completions says it while the queue grows;
 * a standing queue says it by its length; a full one hides arrivals, so double and look again.
 */
function remedy(history: PoolHistory, last: PoolObservation, growth: number, fill: number) {
  if (
    history.services.length > 0 &&
    history.services.every(({ service }) => history.exclusive.has(service))
  ) {
    const needed = history.services.length;
    if (last.threads >= needed)
      return {
        useThreads: null,
        advice: "Single-threaded services run one at a time: partition them or make the handler quicker.",
      };
  }
  if (
    history.cpus > 0 &&
    history.cpuUsed >= 0.9 * Math.min(history.cpus, last.threads) &&
    last.threads >= history.cpus
  )
    return {
      useThreads: null,
      advice: `Its threads compute all the time and the machine has ${history.cpus} CPUs: make the handler cheaper or move it.`,
    };
  const done = Math.max(last.doneRate, 0);
  const ratio = done > 0 ? (done + Math.max(0, growth)) / done : 2;
  const waiting = Math.min(3, 1 + last.queued / last.threads);
  const wanted =
    fill >= 0.8 || last.blocked > 0 ? Math.max(2, ratio) : growth > 0.05 * done ? ratio * 1.15 : waiting;
  const useThreads = Math.min(
    MOST_THREADS,
    Math.max(last.threads + 1, Math.ceil(last.threads * Math.min(wanted, 4))),
  );
  return { useThreads, advice: "" };
}

function reason(
  history: PoolHistory,
  work: readonly PoolWork[],
  last: PoolObservation,
  sinceMs: number,
  fill: number,
): string {
  const busy = `${last.threads} of ${last.threads} threads busy for ${formatDuration(sinceMs)}`;
  const queue =
    last.queue > 0 && fill >= 0.1
      ? `queue ${words(formatShare(fill))} full`
      : `${last.queued} requests waiting`;
  return `${busy}, ${queue}. ${cause(history, work)}`.trim();
}

/** The slow one among several, else the service that holds the threads longest. */
function cause(history: PoolHistory, work: readonly PoolWork[]): string {
  for (const service of history.services) {
    const timed = service.implementations
      .filter((one) => one.p50 !== null)
      .toSorted((a, b) => (b.p50 ?? 0) - (a.p50 ?? 0));
    const [slowest, next] = timed;
    if (slowest && next && (slowest.p50 ?? 0) >= 5 * Math.max(next.p50 ?? 0, 1))
      return `${slowest.name} takes ${words(formatMicros(slowest.p50))}; the others wait behind it.`;
  }
  const [heaviest] = work;
  return heaviest && heaviest.p50 !== null && heaviest.waits !== true
    ? `${heaviest.service} takes ${words(formatMicros(heaviest.p50))} ${heaviest.stage ? "an event" : "a request"}.`
    : heaviest && work.length < history.services.length
      ? `${heaviest.service} takes most of their time.`
      : "";
}

/** Where a stage waits for more than this share of its time, the rest is within what both are rounded by. */
const MOSTLY_WAITS = 0.5;

/**
 * What an event keeps its thread for at a stage, microseconds, from its whole time there and its wait. Behind a
 * queue that is full the two differ by less than either is exact: `waits` says that the time is not known.
 */
export function runTime(
  whole: number | null,
  wait: number | null,
  behindJoin: boolean,
): Pick<PoolWork, "p50" | "waits"> {
  if (whole === null || wait === null) return { p50: whole, waits: behindJoin };
  return { p50: Math.max(0, whole - wait), waits: wait > MOSTLY_WAITS * whole };
}

/** Less than this share of the heaviest is not what holds the threads. */
const MINOR = 1 / 3;

/**
 * What holds the threads of a pool, the heaviest first. The time of a stage behind a join includes its wait,
 * so that what it takes of the threads is what the others on them leave.
 */
function culprits({ services }: PoolHistory, last: PoolObservation): PoolWork[] {
  const spent = ({ p50, rate }: PoolWork): number => (p50 ?? 0) * (Number.isNaN(rate) ? 0 : rate);
  const others = services.reduce((sum, one) => sum + (one.waits ? 0 : spent(one)), 0);
  const busy = (Number.isNaN(last.load) ? 1 : last.load) * last.threads * 1e6;
  const waiting = services.filter((one) => one.waits).length;
  const share = (one: PoolWork): number => (one.waits ? Math.max(0, busy - others) / waiting : spent(one));
  const most = Math.max(...services.map(share));
  return services.filter((one) => share(one) >= MINOR * most).toSorted((a, b) => share(b) - share(a));
}

/** A flow as far as it says which pool runs which of its stages, in order. */
export interface FlowOrder {
  stages: readonly { runsOn: string }[];
}

/**
 * The bottlenecks without those that are only held up by another: where a stage further down the flow has
 * its queue and threads full as well, that last one is what everything before it waits for.
 */
export function lastOnes(found: readonly Bottleneck[], flows: Iterable<FlowOrder>): Bottleneck[] {
  const full = new Set(found.map(({ pool }) => pool));
  const heldUp = new Set<string>();
  const last = new Set<string>();
  for (const { stages } of flows) {
    const places = stages.map(({ runsOn }) => runsOn).filter((pool) => full.has(pool));
    const end = places.at(-1);
    if (end === undefined) continue;
    last.add(end);
    for (const pool of places) if (pool !== end) heldUp.add(pool);
  }
  return found.filter(({ pool }) => !heldUp.has(pool) || last.has(pool));
}

/** An observation of a pool as it is now. */
export const observe = (atMs: number, pool: PoolFigures, doneRate: number): PoolObservation => ({
  atMs,
  busy: pool.busy,
  threads: pool.count,
  load: pool.load,
  queued: pool.queued,
  queue: pool.queue,
  blocked: pool.blocked,
  doneRate,
});
