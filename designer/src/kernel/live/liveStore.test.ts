import type { LiveSchema } from "@penstock/codegen/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  endBinary,
  findTrack,
  liveStore,
  resetLive,
  staleMs,
  STALE_MS,
  takeHistory,
  takeLost,
  takeSample,
  takeSchema,
  trackOfService,
} from "./liveStore.js";
import { sampleOf } from "../../testing/sampleOf.js";
import { schemaOf, threadsOf } from "../../testing/schemaOf.js";

const schema = schemaOf({ binary: "b" });
describe("liveStore", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    resetLive();
  });
  afterEach(() => {
    // A frame that was asked for and never came would keep the next test from asking.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  });

  it("tells its readers once a frame, however many samples come", () => {
    takeSchema(schema);
    vi.advanceTimersByTime(20);
    const heard = vi.fn<() => void>();
    const stop = liveStore.subscribe(heard);
    for (let t = 0; t < 1000; t += 1) takeSample("b", sampleOf(t));
    vi.advanceTimersByTime(20);
    stop();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(findTrack("b")?.process?.cpu).toBe(0);
  });

  it("has the figures of a service from one that is heard of, where another one that has it is not", () => {
    const serving = (binary: string) =>
      schemaOf({
        binary,
        services: [{ id: 0, name: "S", kind: "simple", pool: 0, implementations: [], written: true }],
      });
    takeSchema(serving("first"));
    takeSchema(serving("second"));
    expect(trackOfService("S")?.binary).toBe("first");
    endBinary("first");
    expect(trackOfService("S")?.binary).toBe("second");
    endBinary("second");
    expect(trackOfService("S")?.binary).toBe("first");
  });

  it("marks what the controller of a pool did, and nothing that it had done before this page", () => {
    const pools = (threads: number, steps: number, pid = 1) =>
      ({
        ...schema,
        pid,
        pools: [
          {
            id: 0,
            name: "models",
            threads: Array.from({ length: threads }, () => ({ name: "", tid: 1, asked: [], actual: [] })),
            adaptive: { from: 2, to: 8, on: true, by: "controller", steps, waitedMs: 9 },
          },
        ],
      }) as unknown as LiveSchema;
    takeSchema(pools(4, 2));
    expect(liveStore.getState().marks).toEqual([]);
    takeSchema(pools(5, 3));
    takeSchema(pools(5, 3));
    const marks = () => liveStore.getState().marks.map(({ binary, label }) => [binary, label]);
    expect(marks()).toEqual([["b", "models: 4 → 5 threads, by itself"]]);
    vi.advanceTimersByTime(1000);
    takeSchema(pools(6, 4));
    expect(marks()).toEqual([["b", "models: 4 → 6 threads, by itself"]]);
    vi.advanceTimersByTime(5000);
    takeSchema(pools(5, 5));
    takeSchema(pools(2, 0, 2));
    expect(marks()).toEqual([
      ["b", "models: 4 → 6 threads, by itself"],
      ["b", "models: 6 → 5 threads, by itself"],
    ]);
    expect(findTrack("b")?.pools.get("models")?.figures.adaptive?.to).toBe(8);
  });

  it("marks what a rule brought into force, and nothing that it had done before this page", () => {
    const ruled = (switches: number, preset: string | null, pid = 1) =>
      ({
        ...schema,
        pid,
        rules: [{ of: "F", preset, switches, on: true, by: "rule" }],
      }) as unknown as LiveSchema;
    takeSchema(ruled(3, "calm"));
    takeSchema(ruled(4, "busy"));
    takeSchema(ruled(4, null));
    takeSchema(ruled(1, "calm", 2));
    expect(liveStore.getState().marks.map(({ binary, label }) => [binary, label])).toEqual([
      ["b", "busy in force, by the rule of F"],
    ]);
  });

  it("begins with the past that the server kept, and takes it once", () => {
    takeSchema(schema);
    const past = [0, 1000, 2000].map((t) => ({ ageMs: 2500 - t, sample: sampleOf(t) }));
    takeHistory("b", past);
    takeSample("b", sampleOf(2500));
    takeHistory("b", past);
    const now = Date.now() / 1000;
    const ages = findTrack("b")!
      .times.tail(10)
      .map((at) => Math.round((now - at) * 1000));
    // Half a second after the last one there is no other second to show.
    expect(ages).toEqual([2500, 1500, 500]);
    vi.advanceTimersByTime(1000);
    takeSample("b", sampleOf(3500));
    expect(findTrack("b")!.times.length).toBe(4);
    expect(staleMs(findTrack("b")!)).toBe(0);
  });

  it("joins a past of a sample each ten seconds without a hole", () => {
    takeSchema(schema);
    const ago = [30_000, 20_000, 10_000, 7000, 4000, 1000];
    takeHistory(
      "b",
      ago.map((ageMs) => ({ ageMs, sample: sampleOf(30_000 - ageMs) })),
    );
    takeSample("b", sampleOf(30_000));
    const times = findTrack("b")!.times.tail(100);
    expect(times).toHaveLength(7);
    expect(times).not.toContain(Number.NaN);
  });

  it("names no bottleneck of what has ended, and leaves its last figures", () => {
    takeSchema(
      schemaOf({ binary: "b", pools: [{ id: 0, name: "models", queue: 8, threads: threadsOf(2) }] }),
    );
    const found = () => liveStore.getState().bottlenecks.map(({ pool }) => pool);
    for (let t = 0; t < 10_000; t += 1000) {
      // Both threads at work, eight wait, and so do three callers.
      takeSample("b", sampleOf(t, { pools: [[0, 8, 2, 2, 3, 0]] }));
      vi.advanceTimersByTime(1000);
    }
    expect(found()).toEqual(["models"]);
    endBinary("b");
    vi.advanceTimersByTime(20);
    expect(found()).toEqual([]);
    expect(findTrack("b")?.pools.get("models")?.figures.queued).toBe(8);
    expect(staleMs(findTrack("b")!)).toBeGreaterThan(0);
  });

  it("calls figures stale after two seconds without any, or at once when the server has lost the binary", () => {
    takeSchema(schema);
    takeSample("b", sampleOf(0));
    const track = findTrack("b")!;
    expect(staleMs(track)).toBe(0);
    vi.advanceTimersByTime(STALE_MS + 500);
    expect(staleMs(track)).toBeGreaterThan(STALE_MS);
    takeSample("b", sampleOf(100));
    expect(staleMs(track)).toBe(0);
    takeLost("b");
    expect(staleMs(track)).toBeGreaterThan(0);
  });
});
