import { MOST_THREADS } from "../model/topology/index.js";
import type { PoolReading } from "./runsOn.js";

/** How far a search for the size of a pool may go. */
export interface TuneLimits {
  /** Threads at least and at most. */
  from: number;
  to: number;
  /** How long each size is measured. */
  secondsAStep: number;
}

export const TUNE_RANGE = { threads: { min: 1, max: MOST_THREADS }, seconds: { min: 1, max: 60 } } as const;

/** What a pool did at one size. */
export interface TunePoint {
  threads: number;
  /** Events and calls done a second. */
  perSecond: number;
  p99Us: number | null;
  /** What always waited while it was measured, at least. */
  queued: number;
}

export interface TuneResult {
  points: TunePoint[];
  best: TunePoint;
  /** Threads before; what "undo" goes back to. */
  before: number;
}

/** What is tuned: the size can be set, and its figures come one after the other. */
export interface TunePort {
  /** That it is a pool of, for people. */
  readonly binary: string;
  /** Resolves when that many threads are there. */
  resize(threads: number): Promise<unknown>;
  /** Brings back what was before; what cannot be is its to tell. */
  restore(): Promise<unknown>;
  /** Resolves with the next reading. */
  next(): Promise<PoolReading>;
}

const MOST_SIZES = 7;
/** Throughput this near to the most counts as the most: fewer threads that do as much are better. */
const AS_MUCH = 0.97;
const AS_QUICK = 1.15;
const FAR_BEHIND = 0.8;
const FAR_SHORT = 4;
/** Given to a new size before it is measured. */
const SETTLE_MS = 500;
const REFINEMENTS = 2;

/** Sizes between two limits, the distances growing: `1 2 4 8 16`, or all of them when they are few. */
export function sizesToTry({ from, to }: Pick<TuneLimits, "from" | "to">): number[] {
  const count = Math.min(MOST_SIZES, to - from + 1);
  if (count <= 1) return [from];
  if (to - from < MOST_SIZES) return Array.from({ length: count }, (_, index) => from + index);
  const sizes = Array.from({ length: count }, (_, index) =>
    Math.round(from * (to / from) ** (index / (count - 1))),
  );
  return [...new Set(sizes)];
}

/** More waits all the time than the threads could take up at once: they are too few, whatever gets done. */
const isShort = ({ queued, threads }: TunePoint): boolean => queued > threads;

/** The fewest threads that do (nearly) as much as any, nearly as quickly, and keep no queue standing. */
export function bestPoint(points: readonly TunePoint[]): TunePoint | undefined {
  const most = Math.max(...points.map(({ perSecond }) => perSecond));
  const asMuch = points.filter(({ perSecond }) => perSecond >= AS_MUCH * most);
  const roomy = asMuch.filter((point) => !isShort(point));
  const enough = roomy.length > 0 ? roomy : asMuch;
  const quickest = Math.min(...enough.flatMap(({ p99Us }) => (p99Us === null ? [] : [p99Us])));
  const quick = enough.filter(({ p99Us }) => p99Us === null || p99Us <= AS_QUICK * quickest);
  return (quick.length > 0 ? quick : enough).toSorted((a, b) => a.threads - b.threads)[0];
}

/** Where the knee of the curve may be: half way between the best size and the next smaller one tried. */
export function refinement(points: readonly TunePoint[]): number | undefined {
  const best = bestPoint(points);
  if (best === undefined) return undefined;
  const below = Math.max(...points.map(({ threads }) => threads).filter((threads) => threads < best.threads));
  const middle = Math.floor((below + best.threads) / 2);
  return Number.isFinite(middle) && middle > below && middle < best.threads ? middle : undefined;
}

/** Says whether a search is given up: an AbortSignal, whose type pure rooms do not have. */
export interface GiveUp {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
}

/** Nobody waits for the rest of a search that was given up. */
export class TuneCancelled extends Error {}

/**
 * Tries sizes on the running pool and leaves it at the best. From the largest down, so that nothing piles up
 * while there are threads enough, and no further than to a size that falls well short; then between those
 * around the knee. Whatever ends it early (a refusal, `signal`) restores what was before.
 */
export async function tune(
  port: TunePort,
  limits: TuneLimits,
  options: {
    before: number;
    signal: GiveUp;
    /** A size is about to be tried; `left` steps at most are left, this one counted. */
    onStep: (threads: number, points: readonly TunePoint[], left: number) => void;
  },
): Promise<TuneResult> {
  const { before, signal, onStep } = options;
  const points: TunePoint[] = [];
  const readings = new Readings(port, signal);
  const tryOne = async (threads: number, left: number): Promise<void> => {
    onStep(threads, points, left);
    await port.resize(threads);
    await readings.settle(limits.secondsAStep);
    points.push({ threads, ...(await readings.measure(limits.secondsAStep)) });
  };
  try {
    const sizes = sizesToTry(limits).toReversed();
    for (const [index, threads] of sizes.entries()) {
      await tryOne(threads, sizes.length - index + REFINEMENTS);
      if (fallsShort(points)) break;
    }
    for (let left = REFINEMENTS; left > 0; left--) {
      const between = refinement(points);
      if (between === undefined) break;
      // What the smaller size has left undone must not count against this one.
      await port.resize(limits.to);
      await readings.settle(limits.secondsAStep);
      await tryOne(between, left);
    }
    const best = bestPoint(points);
    if (best === undefined) throw new Error("nothing was measured");
    await port.resize(best.threads);
    return { points: points.toSorted((a, b) => a.threads - b.threads), best, before };
  } catch (error) {
    await port.restore();
    throw error;
  }
}

/** The last size tried is so far behind that a smaller one need not be tried. */
function fallsShort(points: readonly TunePoint[]): boolean {
  const most = Math.max(...points.map(({ perSecond }) => perSecond));
  const last = points.at(-1);
  if (last === undefined) return false;
  return last.perSecond < FAR_BEHIND * most || last.queued > FAR_SHORT * last.threads;
}

/** The figures of the pool, one after the other. */
class Readings {
  /** Rejects once the search is given up, also while nothing is read. */
  private readonly givenUp: Promise<never>;
  private lastT = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly port: TunePort,
    private readonly signal: GiveUp,
  ) {
    this.givenUp = new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(new TuneCancelled("given up"))),
    );
    // Nobody may be reading then.
    this.givenUp.catch(() => undefined);
  }

  private async next(): Promise<PoolReading> {
    if (this.signal.aborted) throw new TuneCancelled("given up");
    const reading = await Promise.race([this.port.next(), this.givenUp]);
    if (reading.t < this.lastT) throw new TuneCancelled(`${this.port.binary} was started anew`);
    this.lastT = reading.t;
    return reading;
  }

  /** Gives a size half a second, and what had piled up before it time to drain, three steps at most. */
  async settle(secondsAStep: number): Promise<void> {
    const begun = await this.next();
    let before = begun;
    for (;;) {
      const now = await this.next();
      const passed = now.t - begun.t;
      const drained = now.queued <= now.threads || now.queued >= before.queued;
      if (passed >= SETTLE_MS && (drained || passed >= 3000 * secondsAStep)) return;
      before = now;
    }
  }

  /** Counts for as long as asked. What was waiting and got done is not what the size carries. */
  async measure(seconds: number): Promise<Omit<TunePoint, "threads">> {
    const first = await this.next();
    let last = await this.next();
    let least = Math.min(first.queued, last.queued);
    while (last.t - first.t < seconds * 1000) {
      last = await this.next();
      least = Math.min(least, last.queued);
    }
    const done = last.done - first.done;
    const carried = Math.max(0, Math.min(done, done + last.queued - first.queued));
    return { perSecond: carried / ((last.t - first.t) / 1000), p99Us: last.p99Us, queued: least };
  }
}
