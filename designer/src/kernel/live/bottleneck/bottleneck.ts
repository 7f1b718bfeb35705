import { formatDuration, formatMicros, formatShare, words } from "../figures/format.js";
import { threadsHeld, type PoolObservation, type PoolWork } from "./poolWork.js";
import { ONE_AT_A_TIME, placeFor, threadsFor, type Demand, type OneThread } from "./remedy.js";

export interface PoolHistory {
  binary: string;
  pool: string;
  /** Oldest first. */
  observations: readonly PoolObservation[];
  /** When something of the binary was changed last, on the observations' clock; what was before does not count. */
  changedAtMs?: number;
  /** What runs on it: services that are called there, stages in the order of their flows. */
  services: readonly PoolWork[];
  /** Names of services on the pool that never run twice at once: more threads do not help them. */
  exclusive: ReadonlySet<string>;
  /** Of a pool whose threads come and go, while its controller is at work. */
  bounds?: { from: number; to: number };
  /** It is no pool but this thread of one, with what is placed on it alone: all figures are of them. */
  thread?: OneThread;
  /** CPUs' worth of time that the pool's threads use in all processes, and what the machine has. */
  cpuUsed: number;
  /** How many there are; all else is of one. */
  processes?: number;
  cpus: number;
}

export interface Bottleneck {
  binary: string;
  /** Of the way to another binary: empty. */
  pool: string;
  /** No pool is it, but the way to this binary. */
  link?: string;
  /** What could take more over there, where nothing hangs: its pools, and how many processes it has. */
  far?: { pools: readonly string[]; processes: number };
  /** The one thread of the pool that has too much placed on it; left out: the pool is too small. */
  thread?: number;
  /** A placement that would help; without `thread` on the whole pool. */
  place?: { service: string; thread?: number };
  services: string[];
  /** The stages among them. */
  stages: { flow: string; id: string }[];
  /** How long it has been so, since the last change at most. */
  sinceMs: number;
  threads: number;
  /** 0 to 1. */
  queueFill: number;
  /** Sentences for the card. */
  reason: string;
  /** Threads that would carry what arrives; null when more threads would not help. */
  useThreads: number | null;
  /** How that number was come by. */
  how: string;
  /** Where that many are more than the pool may come to have: its bounds. */
  bounds?: { from: number; to: number };
  /** What to do instead, where threads are not the answer. */
  advice: string;
}

const SATURATED = 0.95;
export const WINDOW_MS = 5000;
/** What arrives is averaged over this: samples of one second are few. */
const DEMAND_MS = 30_000;

const isFull = (look: PoolObservation): boolean =>
  look.threads > 0 && (look.load >= SATURATED || (Number.isNaN(look.load) && look.busy >= look.threads));

/** Waiting work, or callers held up: a busy pool alone is a well used pool. */
const hasPressure = (look: PoolObservation): boolean => look.blocked > 0 || look.queued > look.threads;

/** What was seen since the last change: of the number of threads, or of what the binary was told. */
function sinceChange({
  observations,
  changedAtMs = Number.NEGATIVE_INFINITY,
}: PoolHistory): PoolObservation[] {
  const last = observations.at(-1);
  const from = observations.findLastIndex(
    (look) => look.threads !== last?.threads || look.atMs < changedAtMs,
  );
  return observations.slice(from + 1);
}

/** Queued requests more a second, from the first to the last. */
function growthOf(looks: readonly PoolObservation[]): number {
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return 0;
  return ((last.queued - first.queued) * 1000) / (last.atMs - first.atMs);
}

/**
 * Names a pool, or a thread of one, as the bottleneck: all its threads at work for the last five seconds while the
 * queue grew, is nearly full, or holds callers up. Null when it is not (or not yet known).
 */
export function findBottleneck(history: PoolHistory): Bottleneck | null {
  const observations = sinceChange(history);
  const last = observations.at(-1);
  if (!last) return null;
  const recent = observations.filter((look) => last.atMs - look.atMs <= WINDOW_MS);
  const first = recent[0]!;
  if (recent.length < 4 || last.atMs - first.atMs < WINDOW_MS - 1500) return null;
  if (recent.filter((look) => !isFull(look)).length > 1 || !hasPressure(last)) return null;

  const fill = last.queue > 0 ? Math.min(1, last.queued / last.queue) : 0;
  // A queue that never empties costs every request a wait, also when deadlines keep it from growing.
  const least = Math.min(...recent.map((look) => look.queued));
  const standing = fill >= 0.5 || last.blocked > 0 || least >= 2 * last.threads;
  if (growthOf(recent) <= 0 && !standing) return null;

  let since = last.atMs;
  for (let index = observations.length - 1; index >= 0; index--) {
    const look = observations[index]!;
    if (!isFull(look)) break;
    since = look.atMs;
  }
  const work = culprits(history, last);
  const demand = demandOn(history, observations, last);
  return {
    binary: history.binary,
    pool: history.pool,
    services: [...new Set(work.map((one) => one.service))],
    stages: work.flatMap(({ stage }) => (stage ? [stage] : [])),
    sinceMs: last.atMs - since,
    threads: last.threads,
    queueFill: fill,
    reason:
      `${fullness(history, last, last.atMs - since, fill)}${inEach(history)}. ${cause(history, work, demand)}`.trim(),
    ...perProcess(
      history,
      history.thread
        ? {
            thread: history.thread.index,
            useThreads: null,
            ...placeFor(history, history.thread, work, demand),
          }
        : atTheMost(history, last, remedy(history, demand, last)),
    ),
  };
}

/** Figures of a binary that runs several times are the mean of its processes. */
const inEach = ({ processes = 1 }: PoolHistory): string =>
  processes > 1 ? ` in each of ${processes} processes` : "";

const perProcess = <Told extends { how: string }>({ processes = 1 }: PoolHistory, told: Told): Told =>
  processes > 1 && told.how !== "" ? { ...told, how: `Each process: ${told.how}` } : told;

type Remedied = Pick<Bottleneck, "useThreads" | "how" | "advice">;

/** What is done about a pool with as many threads as its bounds allow: other bounds. */
function atTheMost({ bounds }: PoolHistory, last: PoolObservation, found: Remedied) {
  if (bounds === undefined || last.threads < bounds.to) return found;
  const most = `It has the most threads that its bounds allow (${bounds.from} to ${bounds.to}).`;
  return found.useThreads === null
    ? { ...found, advice: `${most} ${found.advice}`.trim() }
    : { ...found, bounds, advice: most };
}

/** What comes to the pool, over the last half minute at most. */
function demandOn(
  { services }: PoolHistory,
  observations: readonly PoolObservation[],
  last: PoolObservation,
): Demand {
  // Before there are two samples nothing is known to have ended.
  const looks = observations.filter(
    (look) => last.atMs - look.atMs <= DEMAND_MS && look.arrivals > 0 && !Number.isNaN(look.offered),
  );
  const mean = (of: (look: PoolObservation) => number): number =>
    looks.reduce((sum, look) => sum + of(look), 0) / looks.length;
  const ended = mean(({ arrivals }) => arrivals);
  return {
    // What still waits has arrived as well.
    arrivals: ended + Math.max(0, growthOf(looks)),
    runMicros: (mean(({ offered }) => offered) / ended) * 1e6,
    heldUp: last.blocked > 0,
    ofSeveral: services.length > 1 || services.some(({ implementations }) => implementations.length > 1),
  };
}

/** More threads where they help; else what does. */
function remedy(
  { services, exclusive, cpus, cpuUsed, processes = 1 }: PoolHistory,
  demand: Demand,
  last: PoolObservation,
): Pick<Bottleneck, "useThreads" | "how" | "advice"> {
  const instead = (advice: string) => ({ useThreads: null, how: "", advice });
  const oneAtATime = services.length > 0 && services.every(({ service }) => exclusive.has(service));
  if (oneAtATime && last.threads >= services.length) return instead(ONE_AT_A_TIME);
  const threadsOfAll = last.threads * processes;
  if (cpus > 0 && cpuUsed >= 0.9 * Math.min(cpus, threadsOfAll) && threadsOfAll >= cpus)
    return instead(
      `Its threads compute all the time and the machine has ${cpus} CPUs: make the handler cheaper or move it.`,
    );
  const { threads, how } = threadsFor(demand, atWork(last));
  return { useThreads: threads, how, advice: "" };
}

/** Its threads, and those that end with what they still run: as many are at work at least, now that all are. */
const atWork = ({ busy, threads }: PoolObservation): number => Math.max(busy, threads);

function fullness(
  { pool, thread }: PoolHistory,
  last: PoolObservation,
  sinceMs: number,
  fill: number,
): string {
  const lasting = formatDuration(sinceMs);
  const busy = thread
    ? `Busy for ${lasting} while ${otherThreads(pool, thread)}`
    : `${atWork(last)} of ${atWork(last)} threads busy for ${lasting}`;
  const queue =
    last.queue > 0 && fill >= 0.1
      ? `queue ${words(formatShare(fill))} full`
      : `${Math.round(last.queued)} requests waiting`;
  return `${busy}, ${queue}`;
}

/** `the other 3 threads of models are busy 4 % of the time`. */
function otherThreads(pool: string, { others }: OneThread): string {
  const load = others.reduce((sum, one) => sum + one.load, 0) / others.length;
  const which =
    others.length === 1
      ? `the other thread of ${pool} is`
      : `the other ${others.length} threads of ${pool} are`;
  return `${which} busy ${words(formatShare(load))} of the time`;
}

const runsFor = (name: string, micros: number | null, what: string, median = false): string =>
  `${name} runs ${words(formatMicros(micros))}${what} ${median ? "(median)" : "on average"}`;

/** The slow one among several, else the service that holds the threads longest. */
function cause({ services }: PoolHistory, work: readonly PoolWork[], demand: Demand): string {
  for (const { implementations, median } of services) {
    const [slowest, next] = implementations
      .filter((one) => one.runMicros !== null)
      .toSorted((a, b) => (b.runMicros ?? 0) - (a.runMicros ?? 0));
    if (slowest && next && (slowest.runMicros ?? 0) >= 5 * Math.max(next.runMicros ?? 0, 1))
      return `${runsFor(slowest.name, slowest.runMicros, "", median)}; the others wait behind it.`;
  }
  const [heaviest] = work;
  if (!heaviest) return "";
  const { service, stage, askedMicros, median } = heaviest;
  if (askedMicros === null)
    return work.length < services.length ? `${service} takes most of their time.` : "";
  // Alone on the pool it is what the number of threads is made of: the same figure in both sentences.
  const micros = services.length === 1 && Number.isFinite(demand.runMicros) ? demand.runMicros : askedMicros;
  return `${runsFor(service, micros, stage ? " an event" : " a request", median)}.`;
}

/** Less than this share of the heaviest is not what holds the threads. */
const MINOR = 1 / 3;

/**
 * What holds the threads of a pool, the heaviest first. Where it is not known how long one keeps its thread,
 * it is what the others on them leave.
 */
function culprits({ services }: PoolHistory, last: PoolObservation): PoolWork[] {
  const busy = (Number.isNaN(last.load) ? 1 : last.load) * last.threads;
  const all = threadsHeld(services, busy);
  const held = new Map(services.map((one, index) => [one, all[index] ?? 0]));
  const share = (one: PoolWork): number => held.get(one) ?? 0;
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
