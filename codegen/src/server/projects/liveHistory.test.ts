import { expect, test } from "vitest";
import type { LiveSample } from "../../contract/index.js";
import { LiveHistory } from "./liveHistory.js";

const sample = (t: number, services = 1): LiveSample => ({
  type: "sample",
  t,
  seq: t,
  services: Array.from({ length: services }, (_, id) => [id, 0, 0, 0, 0, null, null, null, null]),
  implementations: [],
  calls: [],
  flows: [],
  stages: [],
  pools: [],
  threads: [],
  process: { cpuNs: 0, rssBytes: 0, threads: 1 },
});
const times = (history: LiveHistory): number[] => history.before(Infinity).map(({ sample: { t } }) => t);

test("should keep one of ten samples a second, and every one of one a second", () => {
  const quick = new LiveHistory();
  for (let t = 0; t <= 3000; t += 100) quick.add(sample(t), 1_000_000 + t);
  expect(times(quick)).toEqual([0, 900, 1800, 2700]);
  const slow = new LiveHistory();
  for (const t of [0, 990, 2010, 2995]) slow.add(sample(t), 1_000_000 + t);
  expect(times(slow)).toEqual([0, 990, 2010, 2995]);
});

const MINUTE = 60_000;

test("should keep a quarter of an hour, the older the more coarsely, and forget the past of another process", () => {
  const history = new LiveHistory();
  for (let t = 0; t <= 30 * MINUTE; t += 100) history.add(sample(t), t);
  const kept = times(history);
  expect(kept[0]).toBeGreaterThanOrEqual(15 * MINUTE);
  expect(kept[0]).toBeLessThan(15 * MINUTE + 10_000);
  const between = (from: number, to: number) => kept.filter((t) => t >= from && t < to).length;
  // A sample each ten seconds, each three, each one: what the ranges of 15, 5 and 1 minutes are drawn of.
  expect(between(16 * MINUTE, 17 * MINUTE)).toBeGreaterThanOrEqual(6);
  expect(between(26 * MINUTE, 27 * MINUTE)).toBeGreaterThanOrEqual(20);
  expect(between(29 * MINUTE + 1000, 30 * MINUTE)).toBeGreaterThanOrEqual(59);
  expect(kept.length).toBeLessThan(300);
  expect(kept).toEqual([...new Set(kept)].toSorted((a, b) => a - b));
  expect(history.before(kept[1]!).map(({ atMs }) => atMs)).toEqual([kept[0]]);
  history.clear();
  expect(times(history)).toEqual([]);
});

test("should keep a shorter past of a drawing with thousands of services, so that memory is bounded", () => {
  const history = new LiveHistory();
  const large = sample(0, 4999);
  for (let t = 0; t < 20 * MINUTE; t += 1000) history.add({ ...large, t }, t);
  const kept = history.before(Infinity);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.reduce((sum, { sample: { services } }) => sum + services.length + 1, 0)).toBeLessThanOrEqual(
    40_000,
  );
  expect(kept.at(-1)?.sample.t).toBe(20 * MINUTE - 1000);
});

test("should not keep what no chart draws", () => {
  const history = new LiveHistory();
  history.add(
    { ...sample(0), implementations: [[0, 0, 1, 0, 1, 1, 1, 1]], calls: [[0, 1, 0]], traces: [] },
    0,
  );
  expect(history.before(Infinity)[0]?.sample).toEqual(sample(0));
});
