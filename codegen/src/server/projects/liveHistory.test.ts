import { expect, test } from "vitest";
import type { LiveSample } from "../../protocol/index.js";
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

test("should forget what is older than two minutes, and the past of another process", () => {
  const history = new LiveHistory();
  for (let t = 0; t <= 300_000; t += 1000) history.add(sample(t), t);
  expect(times(history)).toHaveLength(121);
  expect(times(history)[0]).toBe(180_000);
  expect(history.before(181_000).map(({ atMs }) => atMs)).toEqual([180_000]);
  history.clear();
  expect(times(history)).toEqual([]);
});

test("should keep a shorter past of a drawing with thousands of services", () => {
  const history = new LiveHistory();
  for (let t = 0; t < 60_000; t += 1000) history.add(sample(t, 4999), t);
  expect(times(history)).toEqual([56_000, 57_000, 58_000, 59_000]);
});
