import type { BinaryTrack } from "../track/binaryTrack.js";
import { NOWHERE, type ThreadPlaces } from "../names/threadPlaces.js";
import { typical } from "../track/ranLately.js";
import type {
  ImplementationFigures,
  LatencyFigures,
  PoolFigures,
  UnservedFigures,
} from "../figures/figures.js";

/** A service on a pool, called there or as a stage. */
export interface PoolWork {
  service: string;
  stage?: { flow: string; id: string };
  /** A second: what a handler was run with, and what ended without (expired, skipped, refused). */
  served: number;
  unserved: number;
  /** How long one keeps its thread on average; null where that is not known: it awaits, or the binary does not say. */
  runMicros: number | null;
  /** The same of what came: of implementations that differ, the slow one may run less often than it is asked. */
  askedMicros: number | null;
  /** How long one waits for its turn and in the queue; null where that is not known. */
  waitMicros: number | null;
  /** It runs on this thread of the pool alone, by the placement of this service: itself, or what it runs behind. */
  placed?: { service: string; thread: number };
  /** Those are medians: the binary is older than its means. */
  median?: boolean;
  implementations: readonly { name: string; runMicros: number | null }[];
}

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
  /** What ended a second, however it did: served, expired, skipped, refused. */
  arrivals: number;
  /** Threads that would be busy with all of that; NaN while it is not known how long it runs. */
  offered: number;
}

/** Calls a second below which the difference of two rates is only noise. */
const CALLED = 1;

const orNone = (rate: number): number => (Number.isNaN(rate) ? 0 : rate);
const unserved = ({ expired, skipped, refused }: UnservedFigures): number =>
  orNone(expired) + orNone(skipped) + orNone(refused);
/** Where a stage waits for more than this share of its time, the rest is within what both are rounded by. */
const MOSTLY_WAITS = 0.5;

/**
 * How long a stage runs in a binary that tells only how long it took with its wait: null behind a queue in which it
 * waits for most of that, because then the two differ by less than either is exact.
 */
export function ranWithin(whole: number | null, wait: number | null, behindJoin: boolean): number | null {
  if (whole === null || wait === null) return behindJoin ? null : whole;
  return wait > MOSTLY_WAITS * whole ? null : whole - wait;
}

/** What runs on a pool: its stages in the order of their flows, and services that are called there. */
export function poolWork(track: BinaryTrack, pool: string, places: ThreadPlaces = NOWHERE): PoolWork[] {
  const placedBy = (service: string) => {
    const place = places.get(service);
    return place?.pool === pool ? { placed: { service, thread: place.thread } } : {};
  };
  const callers = new Set([...track.calls.keys()].map((call) => call.slice(0, call.indexOf(">"))));
  const kinds = new Map(track.schema?.services.map(({ name, kind }) => [name, kind]));
  const remotes = new Set(track.schema?.remotes?.map(({ name }) => name));
  // While a handler awaits, its thread does other work: how long it takes is not how long it keeps one.
  const awaits = (service: string): boolean =>
    kinds.get(service) === "async-remote" || callers.has(service) || remotes.has(service);
  const runs = (service: string, run: LatencyFigures, otherwise: number | null = null): number | null =>
    awaits(service) ? null : (typical(run) ?? otherwise);
  const implementationsOf = (service: string) =>
    (track.services.get(service)?.figures.implementations ?? []).map(({ name, ranLately }) => ({
      name,
      runMicros: awaits(service) ? null : ranLately,
    }));
  const asked = (service: string, whole: number | null): number | null =>
    whole === null ? null : (weighted(track.services.get(service)?.figures.implementations ?? []) ?? whole);
  const full = isFull(track.pools.get(pool)?.figures);
  const stages = [...track.flows.values()].flatMap(({ figures: flow }) => {
    const here = flow.stages.filter((stage) => stage.runsOn === pool);
    const first = flow.stages[0];
    // What runs fused behind the first stage stays on its thread; behind a join it is any of the pool.
    const joined = flow.stages.findIndex((stage) => stage.pool !== null);
    const onFirst = joined < 0 ? flow.stages : flow.stages.slice(0, joined);
    return here.map((stage, index): PoolWork => {
      const { id, service, rate, expired } = stage;
      const within = ranWithin(stage.p50, stage.wait.p50, stage.pool !== null || index === 0);
      const runMicros = runs(service, stage.run, within);
      return {
        service,
        stage: { flow: flow.flow, id },
        served: orNone(rate),
        // Events that a full queue refused are counted by their flow.
        unserved: orNone(expired) + (full && index === 0 ? orNone(flow.dropped) : 0),
        runMicros,
        askedMicros: asked(service, runMicros),
        waitMicros: typical(stage.wait),
        ...(first && onFirst.includes(stage) ? placedBy(first.service) : {}),
        median: stage.run.mean === null,
        implementations: implementationsOf(service),
      };
    });
  });
  const called = [...track.services.values()].flatMap(({ figures }): PoolWork[] => {
    if (figures.pool !== pool) return [];
    // A service counts what its stages do as well.
    const staged = [...track.flows.values()]
      .flatMap((flow) => flow.figures.stages)
      .filter((stage) => stage.service === figures.service);
    const served = orNone(figures.rate) - staged.reduce((sum, { rate }) => sum + orNone(rate), 0);
    if (staged.length > 0 && served <= CALLED) return [];
    const { service, run, wait } = figures;
    return [
      {
        service,
        served: Math.max(0, served),
        unserved: Math.max(
          0,
          unserved(figures) - staged.reduce((sum, { expired }) => sum + orNone(expired), 0),
        ),
        runMicros: runs(service, run),
        askedMicros: asked(service, runs(service, run)),
        waitMicros: typical(wait),
        ...placedBy(service),
        median: run.mean === null,
        implementations: implementationsOf(service),
      },
    ];
  });
  return [...stages, ...called];
}

/** Mean over the implementations, by how often each is asked; null where that is not known of one of them. */
function weighted(parts: readonly ImplementationFigures[]): number | null {
  let arrivals = 0;
  let micros = 0;
  for (const part of parts) {
    const came = orNone(part.rate) + unserved(part);
    if (came > 0 && part.ranLately === null) return null;
    arrivals += came;
    micros += came * (part.ranLately ?? 0);
  }
  return arrivals > 0 ? micros / arrivals : null;
}

const isFull = (pool: PoolFigures | undefined): boolean =>
  pool !== undefined && pool.queue > 0 && pool.queued >= 0.8 * pool.queue;

/**
 * How many threads each keeps, of those that are busy. Where it is not said how long one runs, it is what the
 * others leave, in proportion to how many there are (the utilisation law: busy threads = rate x time on them).
 */
export function threadsHeld(work: readonly PoolWork[], busy: number): number[] {
  const known = ({ served, runMicros }: PoolWork): number => (served * (runMicros ?? 0)) / 1e6;
  const left = Math.max(0, busy - work.reduce((sum, one) => sum + known(one), 0));
  const unknown = work.filter(({ runMicros }) => runMicros === null);
  const served = unknown.reduce((sum, one) => sum + one.served, 0);
  return work.map((one) => {
    if (one.runMicros !== null) return known(one);
    return served > 0 ? (left * one.served) / served : left / unknown.length;
  });
}

/** The same of one thread of a pool and what is placed on it alone; what waits for the pool counts as waiting for it. */
export function observeThread(
  atMs: number,
  pool: PoolFigures,
  thread: number,
  work: readonly PoolWork[],
): PoolObservation {
  const processes = pool.each > 0 ? Math.max(1, pool.count / pool.each) : 1;
  const load = pool.threads[thread]?.busy ?? Number.NaN;
  return observe(
    atMs,
    {
      ...pool,
      count: processes,
      each: 1,
      load,
      busy: Number.isNaN(load) ? 0 : load * processes,
      // Each thread of a pool has its part of the places.
      queue: pool.queue / Math.max(1, pool.each),
    },
    work,
  );
}

/** An observation of a pool as it is now; of several processes that of one of them, as what is done is done in each. */
export function observe(atMs: number, pool: PoolFigures, work: readonly PoolWork[]): PoolObservation {
  const share = Number.isNaN(pool.load) ? pool.busy / Math.max(1, pool.count) : pool.load;
  const held = threadsHeld(work, share * pool.count);
  let arrivals = 0;
  let offered = 0;
  for (const [index, { served, unserved, askedMicros }] of work.entries()) {
    arrivals += served + unserved;
    // What expired would have run as long as what did run.
    const each =
      askedMicros === null ? (served > 0 ? (held[index] ?? 0) / served : Number.NaN) : askedMicros / 1e6;
    if (served + unserved > 0) offered += (served + unserved) * each;
  }
  const processes = pool.each > 0 ? Math.max(1, pool.count / pool.each) : 1;
  return {
    atMs,
    busy: Math.round(pool.busy / processes),
    threads: pool.each,
    load: pool.load,
    queued: pool.queued / processes,
    queue: pool.queue / processes,
    blocked: pool.blocked / processes,
    arrivals: arrivals / processes,
    offered: offered / processes,
  };
}
