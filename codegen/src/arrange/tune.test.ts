import { describe, expect, it } from "vitest";
import type { LiveSample, LiveSchema } from "../contract/index.js";
import {
  bestPoint,
  readPool,
  refinement,
  sizesToTry,
  tune,
  type PoolReading,
  type TunePort,
} from "./index.js";

/** A pool each of whose threads does ten a second, of which 45 a second arrive; no clock but its own. */
class Pool implements TunePort {
  binary = "ads";
  threads = 2;
  sizes: number[] = [];
  crashesAt = Number.POSITIVE_INFINITY;
  private t = 0;
  private done = 0;
  private queued = 100;
  constructor(private readonly refused = 0) {}
  async resize(threads: number): Promise<void> {
    if (threads === this.refused) throw new Error("no room");
    this.threads = threads;
    this.sizes.push(threads);
  }
  restore(): Promise<void> {
    return this.resize(2);
  }
  async next(): Promise<PoolReading> {
    if (this.t >= this.crashesAt) this.t = this.done = 0;
    this.t += 100;
    const does = Math.min(this.queued + 4.5, this.threads);
    this.queued += 4.5 - does;
    this.done += does;
    const { t, done, queued, threads } = this;
    return { t, done, queued, blocked: 0, busy: threads, threads, p99Us: 1000 * (1 + queued) };
  }
}
const LIMITS = { from: 1, to: 16, secondsAStep: 2 };
const search = (pool: Pool, signal = new AbortController().signal) =>
  tune(pool, LIMITS, { before: 2, signal, onStep: () => undefined });

describe("tuning a pool", () => {
  it("finds the fewest threads that carry what arrives, and leaves the pool there", async () => {
    const pool = new Pool();
    const { best, before, points } = await search(pool);
    expect(best.threads).toBe(5);
    expect(pool.threads).toBe(5);
    expect(before).toBe(2);
    expect(points.map(({ threads }) => threads)).toEqual(
      points.map(({ threads }) => threads).toSorted((a, b) => a - b),
    );
    expect(Math.max(...pool.sizes)).toBe(16);
    // 3 threads fall far short, so smaller sizes are not tried on a flow that works.
    expect(Math.min(...pool.sizes)).toBe(3);
  });

  it("leaves the pool as it was when a size is refused", async () => {
    const pool = new Pool(6);
    await expect(search(pool)).rejects.toThrow("no room");
    expect(pool.threads).toBe(2);
  });

  it("leaves the pool as it was when it is given up", async () => {
    const pool = new Pool();
    const giveUp = new AbortController();
    const given = tune(pool, LIMITS, {
      before: 2,
      signal: giveUp.signal,
      onStep: (threads) => threads <= 6 && giveUp.abort(),
    });
    await expect(given).rejects.toThrow("given up");
    expect(pool.threads).toBe(2);
  });

  it("is given up also while no figures come", async () => {
    const pool = new Pool();
    const giveUp = new AbortController();
    pool.next = () => new Promise(() => undefined);
    const given = search(pool, giveUp.signal);
    giveUp.abort();
    await expect(given).rejects.toThrow("given up");
    expect(pool.sizes).toEqual([16, 2]);
  });

  it("ends when its process begins anew, whose figures say nothing of what was measured", async () => {
    const pool = new Pool();
    pool.crashesAt = 900;
    await expect(search(pool)).rejects.toThrow("ads was started anew");
    expect(pool.threads).toBe(2);
  });

  it.each([
    [1, 1, [1]],
    [3, 6, [3, 4, 5, 6]],
    [1, 64, [1, 2, 4, 8, 16, 32, 64]],
    [1, 16, [1, 2, 3, 4, 6, 10, 16]],
  ])("tries sizes from %i to %i whose distances grow", (from, to, sizes) => {
    expect(sizesToTry({ from, to })).toEqual(sizes);
  });

  it("prefers fewer threads unless they are slower", () => {
    const point = (threads: number, perSecond: number, p99Us: number | null) => ({
      threads,
      perSecond,
      p99Us,
      queued: 0,
    });
    expect(bestPoint([point(2, 50, 9), point(4, 99, 9), point(8, 100, 9)])?.threads).toBe(4);
    expect(bestPoint([point(4, 99, 30), point(8, 100, 9)])?.threads).toBe(8);
    expect(bestPoint([point(4, 99, null), point(8, 100, null)])?.threads).toBe(4);
    // What is given up in the queue counts as done: a queue that stands says that it is too few all the same.
    expect(bestPoint([{ ...point(4, 100, 9), queued: 30 }, point(8, 100, 9)])?.threads).toBe(8);
    expect(refinement([point(2, 50, 9), point(8, 100, 9)])).toBe(5);
    expect(refinement([point(7, 50, 9), point(8, 100, 9)])).toBeUndefined();
    expect(refinement([point(2, 100, 9), point(8, 100, 9)])).toBeUndefined();
  });
});

it("a pool is read with its stages, those fused behind them, and the calls to what is placed on it", () => {
  const schema = {
    services: [
      { id: 0, pool: 0 },
      { id: 1, pool: 0 },
    ],
    flows: [
      {
        id: 0,
        name: "F",
        stages: [
          { id: "a", service: 0, pool: null },
          { id: "b", service: 1, pool: 1 },
          { id: "c", service: 1, pool: null },
        ],
      },
    ],
    pools: [
      { id: 0, name: "front" },
      { id: 1, name: "F.b" },
    ],
  } as unknown as LiveSchema;
  const sample = {
    t: 5,
    services: [
      [0, 130, 0, 0, 0, 1, 1, 7, 9],
      [1, 200, 0, 0, 0, 1, 1, 8, 9],
    ],
    flows: [[0, 100, 100, 0, 0, 0, 1, 2, 3, 4]],
    stages: [
      [0, 0, 100],
      [0, 1, 100],
      [0, 2, 90],
    ],
    pools: [
      [0, 1, 1, 2, 0],
      [1, 7, 4, 4, 3],
    ],
    process: {},
  } as unknown as LiveSample;
  expect(readPool(schema, sample, "front")).toMatchObject({ done: 100 + 30 + 10, p99Us: 3 });
  expect(readPool(schema, sample, "F.b")).toEqual({
    t: 5,
    done: 190,
    queued: 7,
    blocked: 3,
    busy: 4,
    threads: 4,
    p99Us: 3,
  });
  expect(readPool(schema, sample, "none")).toBeUndefined();
  // What expired is not done.
  const served: LiveSample = {
    ...sample,
    outcomes: [
      [0, null, 120, 10, 0, 0],
      [1, null, 160, 40, 0, 0],
    ],
    stageOutcomes: [
      [0, 0, 95, 5],
      [0, 1, 80, 20],
      [0, 2, 80, 10],
    ],
  };
  expect(readPool(schema, served, "front")?.done).toBe(95 + 25);
  expect(readPool(schema, served, "F.b")?.done).toBe(160);
});
