import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { expect, it } from "vitest";
import { BinaryTrack } from "../track/binaryTrack.js";
import { BottleneckWatch } from "./bottleneckWatch.js";
import { observe, poolWork, ranWithin } from "./poolWork.js";

const schema = {
  type: "schema",
  binary: "ads-server",
  pid: 1,
  services: [
    { id: 0, name: "GetAd", kind: "async-remote", pool: 0, implementations: [], written: true },
    { id: 1, name: "ProduceAd", kind: "sync-remote", pool: 1, implementations: ["A", "C"], written: true },
  ],
  calls: [{ id: 0, from: 0, to: 1 }],
  flows: [],
  pools: [0, 1].map((id) => ({
    id,
    name: ["front", "models"][id],
    queue: 1024,
    overflow: "block",
    idle: "park",
    priority: 0,
    threads: [{ name: "t", tid: id, asked: [], actual: [] }],
  })),
} as unknown as LiveSchema;
const sample = (t: number): LiveSample => ({
  type: "sample",
  t,
  seq: t,
  services: [
    [0, 0.2 * t, 0, 0, 0, 100_000, 1, 1, 1],
    [1, 0.6 * t, 0, 0, 0, 103_000, 1, 1, 1],
  ],
  implementations: [],
  calls: [],
  flows: [],
  stages: [],
  outcomes: [
    [0, null, 0.2 * t, 0, 0, 0],
    [1, null, 0.08 * t, 0.4 * t, 0.1 * t, 0.02 * t],
  ],
  serviceRuns: [
    [0, null, 100_000, 100_000, 100_000, 100_000, 99_000],
    [1, null, 3000, 100_000, 100_000, 100_000, 58_000],
    [1, 1, 110_000, 1, 1, 1, 110_000],
  ],
  pools: [
    [0, 0, 0, 1, 0],
    [1, 200, 1, 1, 0],
  ],
  threads: [
    [0, 0, 0.1 * t * 1e6, 0, 0, 0, 0],
    [1, 0, t * 1e6, 0, 0, 0, 0],
  ],
  process: { cpuNs: 0, rssBytes: 0, threads: 2 },
});

it("counts all that came to a pool, and of its time what runs: not the wait, not what a handler awaits", () => {
  const track = new BinaryTrack("ads-server");
  track.takeSchema(schema);
  for (const t of [0, 1000, 2000]) track.takeSample(sample(t), t, t);

  const [produce] = poolWork(track, "models");
  expect(produce).toMatchObject({ service: "ProduceAd", runMicros: 58_000 });
  expect([produce?.served, produce?.unserved].map((rate) => Math.round(rate ?? -1))).toEqual([80, 520]);
  expect(produce?.implementations).toEqual([
    { name: "A", runMicros: null },
    { name: "C", runMicros: 110_000 },
  ]);
  const seen = observe(2000, track.pools.get("models")!.figures, [produce!]);
  expect(seen.arrivals).toBeCloseTo(600, 6);
  expect(seen.offered).toBeCloseTo(34.8, 6);

  // GetAd runs 99 ms, most of which it awaits the models: its thread was busy for a tenth of the time.
  const front = poolWork(track, "front");
  expect(front).toMatchObject([{ service: "GetAd", runMicros: null }]);
  expect(observe(2000, track.pools.get("front")!.figures, front).offered).toBeCloseTo(0.1, 6);
});

it("sees of several processes one: what is done is done in each", () => {
  const track = new BinaryTrack("ads-server");
  track.takeSchema(schema);
  const process = { cpuNs: 0, rssBytes: 0, threads: 4, processes: 2 };
  for (const t of [0, 1000, 2000]) {
    const alone = sample(t);
    const pools: LiveSample["pools"] = [[1, 400, 2, 2, 6]];
    track.takeSample({ ...alone, process, pools }, t, t);
  }
  const seen = observe(2000, track.pools.get("models")!.figures, poolWork(track, "models"));
  expect(seen).toMatchObject({ threads: 1, busy: 1, queued: 200, queue: 1024, blocked: 3 });
  expect(seen.arrivals).toBeCloseTo(300, 6);
  expect(seen.offered).toBeCloseTo(17.4, 6);
});

it("does not take how long another binary runs a stage for what it keeps a thread here", () => {
  const stages = [{ id: "log", service: 2, role: "side-effect", pool: 0 }];
  const runOf = (drawn: Partial<LiveSchema>) => {
    const track = new BinaryTrack("ads-server");
    const source = { kind: "rate", perSecond: 100 };
    track.takeSchema({ ...schema, ...drawn, flows: [{ id: 0, name: "F", source, stages }] } as LiveSchema);
    for (const t of [0, 1000, 2000])
      track.takeSample(
        {
          ...sample(t),
          stages: [[0, 0, t, 0, 50_000, 1, 1, 1]],
          runs: [[0, 0, 50_000, 1, 1, 1]],
        } as LiveSample,
        t,
        t,
      );
    return poolWork(track, "front").find(({ service }) => service === "Log")?.runMicros;
  };
  const log = { id: 2, name: "Log" };
  const here = { ...log, kind: "simple", pool: 0, implementations: [], written: true };
  expect(runOf({ services: [...schema.services, here] })).toBe(50_000);
  expect(runOf({ remotes: [{ ...log, binary: "logs" }] })).toBeNull();
});

it("takes implementations that differ by how often each is asked, not by how often it came to run", () => {
  const track = new BinaryTrack("ads-server");
  track.takeSchema(schema);
  // The quick one is served each time, most requests of the slow one expire: what did run took 13 ms on average.
  for (const t of [0, 1000, 2000])
    track.takeSample(
      {
        ...sample(t),
        outcomes: [
          [1, null, 0.22 * t, 0.18 * t, 0, 0],
          [1, 0, 0.2 * t, 0, 0, 0],
          [1, 1, 0.02 * t, 0.18 * t, 0, 0],
        ],
        serviceRuns: [
          [1, null, 3000, 1, 1, 1, 12_700],
          [1, 0, 3000, 1, 1, 1, 3000],
          [1, 1, 110_000, 1, 1, 1, 110_000],
        ],
      },
      t,
      t,
    );
  const work = poolWork(track, "models");
  expect(work[0]?.runMicros).toBe(12_700);
  // 200/s x 3 ms and 200/s x 110 ms.
  expect(observe(2000, track.pools.get("models")!.figures, work).offered).toBeCloseTo(22.6, 6);
});

/** A second in which both implementations are asked as often, the quick one is served and the slow one expires. */
const halfExpires = (t: number, runMicros: { slow: number | null; mean: number }): LiveSample => ({
  ...sample(t),
  outcomes: [
    [1, null, 0.2 * t, 0.2 * t, 0, 0],
    [1, 0, 0.2 * t, 0, 0, 0],
    [1, 1, 0, 0.2 * t, 0, 0],
  ],
  serviceRuns: [
    [1, null, 3000, 1, 1, 1, runMicros.mean],
    [1, 0, 3000, 1, 1, 1, 3000],
    [1, 1, runMicros.slow, runMicros.slow, runMicros.slow, runMicros.slow, runMicros.slow],
  ],
});

it("takes the average of the last seconds with a sample of the slow implementation", () => {
  const track = new BinaryTrack("ads-server");
  track.takeSchema(schema);
  const seen = (t: number, slow: number | null) => {
    // All that was sampled in this second is quick.
    track.takeSample(halfExpires(t, { slow, mean: 3000 }), t, t);
    const work = poolWork(track, "models");
    return {
      offered: observe(t, track.pools.get("models")!.figures, work).offered,
      slowest: work[0]?.implementations[1]?.runMicros,
    };
  };
  seen(0, 49_000);
  // One sample alone is no average.
  expect(seen(1000, 171_000).slowest).toBe(110_000);
  // 200/s x 3 ms and 200/s x 110 ms.
  expect(seen(2000, null).offered).toBeCloseTo(22.6, 6);
  expect(seen(3000, null).slowest).toBe(110_000);
  expect(seen(62_000, null).slowest).toBeNull();
});

it("asks for threads for all of them, though the slow one is seen once in some seconds", () => {
  const track = new BinaryTrack("ads-server");
  track.takeSchema(schema);
  const watch = new BottleneckWatch();
  for (let t = 0; t <= 8000; t += 1000) {
    const once = t === 1000 ? { slow: 110_000, mean: 56_500 } : { slow: null, mean: 3000 };
    track.takeSample(halfExpires(t, once), t, t);
    watch.look(track, 2);
  }
  // 22.6 busy on average, and the square root of that.
  expect(watch.found).toMatchObject([{ pool: "models", useThreads: 28 }]);
});

it("takes from a binary that does not tell how long stages run what is left of their time, where that says something", () => {
  // 2.5 s in a full queue for a query of 2 ms: the difference of two rounded times says nothing.
  expect(ranWithin(2_500_000, 2_500_000, true)).toBeNull();
  expect(ranWithin(2_500_000, 2_420_000, true)).toBeNull();
  expect(ranWithin(2_400, 300, true)).toBe(2_100);
  expect(ranWithin(2_400, null, true)).toBeNull();
  expect(ranWithin(4, null, false)).toBe(4);
});
