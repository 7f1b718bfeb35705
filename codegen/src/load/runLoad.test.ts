import { expect, test } from "vitest";
import { LOAD_DEFAULTS, type LoadReport } from "../contract/index.js";
import type { LoadDriver } from "./driver.js";
import { runLoad } from "./runLoad.js";

/** A target that does so many events a second and lets the others wait; its seconds take no time. */
function desk(perSecond: number): LoadDriver & { ended: number } {
  let waiting = 0;
  const all = { sent: 0, completed: 0, failed: 0 };
  return {
    ended: 0,
    begin: () => Promise.resolve(),
    second(rate) {
      const completed = Math.min(waiting + rate, perSecond);
      waiting += rate - completed;
      all.sent += rate;
      all.completed += completed;
      const us = 1000 + (waiting / perSecond) * 1e6;
      return Promise.resolve({
        ...{ target: rate, sent: rate, completed, failed: 0, skipped: 0, waiting, queued: waiting, busy: 0 },
        ...{ p50Us: us, p90Us: us, p99Us: us, maxUs: us },
      });
    },
    left: () => [],
    async drain() {
      all.completed += waiting;
    },
    whole: () => ({ tookMs: 3000, ...all, minUs: 1, p50Us: 2, p95Us: 3, p99Us: 4, maxUs: 5 }),
    async end() {
      this.ended += 1;
    },
    failures: () => [],
  };
}

test("should find the capacity of a target, second by second, and leave it as it was", async () => {
  const driver = desk(250);
  const told: number[] = [];
  const report = await runLoad({
    target: { kind: "url", method: "GET", url: "http://here" },
    settings: { ...LOAD_DEFAULTS, start: 100, step: 100, periodS: 2, recoveryS: 4, tolerance: 0.2 },
    driver,
    signal: new AbortController().signal,
    onReport: ({ seconds }) => told.push(seconds.length),
  });
  expect(report).toMatchObject({
    outcome: "broke",
    heldPerSecond: 200,
    breakingPoint: { perSecond: 200, brokeAt: 300 },
  });
  expect(report.seconds.slice(0, 4).map(({ target, held }) => [target, held])).toEqual([
    [100, true],
    [100, true],
    [200, true],
    [200, true],
  ]);
  expect(report.seconds.at(-1)).toMatchObject({ completed: 250, held: false });
  expect(told).toEqual([...report.seconds.keys(), report.seconds.length]);
  expect(driver.ended).toBeGreaterThan(0);
});

test("should have the whole of it in the last word, what was waited for at the end included", async () => {
  const run = async (signal: AbortSignal): Promise<LoadReport> =>
    runLoad({
      target: { kind: "url", method: "GET", url: "http://here" },
      settings: { ...LOAD_DEFAULTS, start: 100, step: 0, forS: 3 },
      driver: desk(80),
      signal,
    });
  const { outcome, seconds, whole } = await run(new AbortController().signal);
  expect(outcome).toBe("ended");
  expect(seconds.reduce((sum, { completed }) => sum + completed, 0)).toBe(240);
  expect(whole).toMatchObject({ tookMs: 3000, sent: 300, completed: 300, minUs: 1, p95Us: 3, maxUs: 5 });
  const none = await run(AbortSignal.abort());
  expect(none).toMatchObject({ outcome: "interrupted", whole: { sent: 0, completed: 0 } });
});
