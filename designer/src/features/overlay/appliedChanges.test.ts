import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { appliedStore, effectOf, forgetChange, isInForce, rememberChange } from "./appliedChanges.js";
import { addMark, endBinary, resetLive, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { schemaOf, threadsOf } from "../../testing/schemaOf.js";

const schema = (threads: number, startedAtMs = 1): LiveSchema =>
  schemaOf({
    topologyHash: "sha256:1",
    pid: startedAtMs,
    startedAtMs,
    services: [
      { id: 0, name: "ProduceAd", kind: "sync-remote", pool: 0, implementations: [], written: true },
    ],
    pools: [
      {
        id: 0,
        name: "models",
        queue: 1,
        overflow: "block",
        idle: "park",
        priority: 0,
        threads: threadsOf(threads),
      },
    ],
  });
let done = 0;
let t = 0;
/** Seconds in which so many requests a second are served, in so many microseconds. */
function seconds(count: number, rate: number, p50: number, p99: number): void {
  for (let second = 0; second < count; second++) {
    vi.advanceTimersByTime(1000);
    t += 1000;
    done += rate;
    const sample: LiveSample = {
      type: "sample",
      t,
      seq: t,
      services: [[0, done, 0, 0, 0, p50, p99, p99, p99]],
      implementations: [],
      calls: [],
      flows: [],
      stages: [],
      pools: [],
      threads: [],
      process: { cpuNs: 0, rssBytes: 0, threads: 1 },
    };
    takeSample("ads-server", sample);
  }
}
const change = (from: number, to: number) => ({
  ...{ binary: "ads-server", pool: "models", services: ["ProduceAd"], stages: [] },
  ...{ from, to, atMs: Date.now(), startedAtMs: 1 },
});

beforeEach(() => {
  vi.useFakeTimers();
  resetLive();
  appliedStore.setState({ applied: [] });
  done = t = 0;
  takeSchema(schema(6));
});
afterEach(() => vi.useRealTimers());

it("says what a remedy did to rate, p50 and p99, once enough seconds have passed", () => {
  seconds(20, 80, 103_000, 203_000);
  const resized = change(6, 41);
  addMark("ads-server", "models: 41 threads");
  takeSchema(schema(41));
  seconds(5, 598, 59_000, 61_000);
  expect(effectOf(resized)).toBeNull();
  seconds(5, 598, 59_000, 61_000);
  expect(effectOf(resized)).toEqual(["ProduceAd: 80/s → 598/s", "p50 103 ms → 59 ms", "p99 203 ms → 61 ms"]);
});

it("keeps the last remedy of a pool, for as long as the pool has the threads that it was given", () => {
  rememberChange(change(6, 12));
  const second = change(12, 41);
  rememberChange(second);
  expect(appliedStore.getState().applied).toEqual([second]);
  // The binary tells of its new threads a moment later.
  expect(isInForce(second)).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(isInForce(second)).toBe(false);
  takeSchema(schema(41));
  expect(isInForce(second)).toBe(true);
  takeSchema(schema(20));
  expect(isInForce(second)).toBe(false);
  forgetChange(second);
  expect(appliedStore.getState().applied).toEqual([]);
});

it("says nothing of a process that has ended, nor of the next one, which has as many threads", () => {
  takeSchema(schema(41));
  seconds(5, 80, 103_000, 203_000);
  const resized = change(6, 41);
  expect(isInForce(resized)).toBe(true);
  endBinary("ads-server");
  expect(isInForce(resized)).toBe(false);
  takeSchema(schema(41, 2));
  seconds(1, 80, 103_000, 203_000);
  expect(isInForce(resized)).toBe(false);
});
