import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { describe, expect, it } from "vitest";
import { BinaryTrack } from "./binaryTrack.js";
import { chartData } from "../chartData.js";

const schema = (pid = 1, threads = 2): LiveSchema => ({
  type: "schema",
  version: 1,
  project: "ads",
  binary: "ads-server",
  topologyHash: "sha256:0",
  runtime: "1.0.0",
  pid,
  startedAtMs: 0,
  intervalMs: 100,
  sampling: 3,
  services: [{ id: 7, name: "GetAd", kind: "simple", pool: 3, implementations: ["A", "B"], written: true }],
  calls: [],
  flows: [],
  pools: [
    {
      id: 3,
      name: "front",
      queue: 1024,
      overflow: "block",
      idle: "adaptive",
      priority: 0,
      threads: Array.from({ length: threads }, (_, i) => ({
        name: `front-${i}`,
        tid: 50 + i,
        asked: [],
        actual: [0],
      })),
    },
  ],
});
const sample = (t: number, requests: number, extra: Partial<LiveSample> = {}): LiveSample => ({
  type: "sample",
  t,
  seq: t,
  services: [[7, requests, 0, 1, 0, 100, 200, 300, 400]],
  implementations: [[7, 1, requests / 2, 0, 90, 95, 99, 100]],
  calls: [],
  flows: [],
  stages: [],
  pools: [[3, 5, 1, 2, 0, t / 10]],
  threads: [
    [3, 0, t * 5e5, t * 4e5, t, t, 1, t / 10],
    [3, 1, 0, 0, 0, 0, 0, 0],
  ],
  process: { cpuNs: t * 5e5, rssBytes: 1e6, threads: 3 },
  ...extra,
});
const service = (track: BinaryTrack) => track.services.get("GetAd")!;

describe("BinaryTrack", () => {
  it("tells the threads of all processes from those of each, with room for what waits in all", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    const figures = () => track.pools.get("front")!.figures;
    expect(figures()).toMatchObject({ count: 2, each: 2, queue: 1024 });
    const process = { cpuNs: 0, rssBytes: 1e6, threads: 9, processes: 3 };
    track.takeSample(sample(100, 5, { process, pools: [[3, 5, 4, 6, 0, 0]] }), 100, 100);
    expect(figures()).toMatchObject({ busy: 4, count: 6, each: 2, queue: 3072 });
    expect(track.process).toMatchObject({ processes: 3 });
    // Resized in all of them.
    track.takeSchema(schema(1, 4));
    expect(figures()).toMatchObject({ count: 12, each: 4, queue: 3072 });
  });

  it("forms rates and shares from totals", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    for (let t = 0; t <= 2000; t += 100) track.takeSample(sample(t, t / 5), t, t);
    expect(service(track).figures.rate).toBeCloseTo(200, 6);
    expect(service(track).figures.implementations[1]?.rate).toBeCloseTo(100, 6);
    expect(service(track).figures.p99).toBe(300);
    const pool = track.pools.get("front")!.figures;
    expect(pool.threads[0]?.busy).toBeCloseTo(0.5, 6);
    expect(pool.threads[0]?.cpuShare).toBeCloseTo(0.4, 6);
    expect(pool.threads[0]?.switches).toBeCloseTo(2000, 6);
    expect(pool.threads.map(({ stolen }) => stolen)).toEqual([100, 0]);
    expect(pool.stolen).toBeCloseTo(100, 6);
    expect(pool.load).toBeCloseTo(0.25, 6);
    expect(pool.queued).toBe(5);
    expect(track.process?.cpu).toBeCloseTo(0.5, 6);
  });

  it("counts the calls of a service of another binary, and nothing of the service", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema({
      ...schema(),
      remotes: [{ id: 8, name: "Price", binary: "prices" }],
      calls: [{ id: 0, from: 7, to: 8 }],
    });
    for (let t = 0; t <= 2000; t += 100) track.takeSample(sample(t, 0, { calls: [[0, t / 10, 0]] }), t, t);
    expect(track.calls.get("GetAd>Price")?.rate).toBeCloseTo(100, 6);
    expect([...track.services.keys()]).toEqual(["GetAd"]);
  });

  it("shows a laptop's sleep as a hole, not as a line across it (row 19)", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    for (let t = 0; t <= 3000; t += 100) track.takeSample(sample(t, t), t, t);
    const hour = 3_600_000;
    for (let t = hour; t <= hour + 1300; t += 100) track.takeSample(sample(t, t), t, t);
    const curve = { ring: service(track).series!.rate, of: "mean" as const };
    const [, rates] = chartData(track.times, [curve], 0, 2 * hour, 1);
    const hole = rates!.indexOf(null, 2);
    expect(hole).toBeGreaterThan(0);
    expect(rates!.at(-1)).toBeCloseTo(1000, 3);
  });

  it("shows it as a hole also where the clock of the process stood still meanwhile (row 19)", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    const hour = 3_600_000;
    for (let t = 0; t <= 3000; t += 100) track.takeSample(sample(t, t), t, t);
    for (let t = 3100; t <= 6000; t += 100) track.takeSample(sample(t, t), t, hour + t);
    const curve = { ring: service(track).series!.rate, of: "mean" as const };
    const [, rates] = chartData(track.times, [curve], 0, 2 * hour, 1);
    expect(rates!.slice(2).filter((rate) => rate === null)).toHaveLength(1);
    // What was counted before belongs to what was counted since.
    expect(service(track).figures.rate).toBeCloseTo(1000, 3);
  });

  it("takes a past that was kept in coarse steps, and the samples behind it, for no sleep", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    const late = [0, 40, -30, 900, 0];
    for (const [at, by] of late.entries()) track.takeSample(sample(10_000 * at, at), 0, 10_000 * at + by);
    for (const [at, by] of [300, 2400, 0].entries()) {
      const t = 40_100 + 100 * at;
      track.takeSample(sample(t, 5), 0, t + by);
    }
    expect(track.times.tail(99).some(Number.isNaN)).toBe(false);
  });

  it("begins anew when another process answers", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema(1));
    for (let t = 0; t <= 500; t += 100) track.takeSample(sample(t, 10_000 + t), t, t);
    track.takeSchema(schema(2));
    track.takeSample(sample(0, 3), 600, 600);
    expect(service(track).figures.rate).toBeNaN();
    expect(track.times.length).toBe(1);
  });

  it("has no figures of what is no longer in a process that was replaced while others go on", () => {
    const track = new BinaryTrack("ads-server");
    const before = schema();
    const flow = { id: 0, source: { kind: "rate", perSecond: 1 }, stages: [] };
    track.takeSchema({
      ...before,
      services: [...before.services, { ...before.services[0]!, id: 8, name: "Old" }],
      calls: [
        { id: 0, from: 7, to: 8 },
        { id: 1, from: 7, to: 7 },
      ],
      flows: [
        { ...flow, name: "Events" },
        { ...flow, id: 1, name: "OldEvents" },
      ],
    });
    for (let t = 0; t <= 500; t += 100) track.takeSample(sample(t, t), t, t);
    track.takeSchema({
      ...before,
      calls: [{ id: 0, from: 7, to: 7 }],
      flows: [{ ...flow, name: "Events" }],
    });
    const names = [track.services, track.calls, track.flows, track.pools].map((known) => [...known.keys()]);
    expect(names).toEqual([["GetAd"], ["GetAd>GetAd"], ["Events"], ["front"]]);
    track.takeSample(sample(600, 600), 600, 600);
    expect(service(track).figures.rate).toBeCloseTo(1000, 6);
  });

  it("keeps its series when only threads change", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    for (let t = 0; t <= 5000; t += 100) track.takeSample(sample(t, t), t, t);
    track.takeSchema(schema(1, 4));
    // One a second of ten: figures are those of the last second.
    expect(track.times.length).toBe(6);
    expect(track.pools.get("front")!.figures.threads).toHaveLength(4);
    expect(track.pools.get("front")!.figures.count).toBe(4);
    expect(track.pools.get("front")!.figures.threads[0]?.busy).toBeCloseTo(0.5, 6);
  });

  it("keeps for how long a handler is stuck, the longest one, until it goes on (row 42)", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    const stuck: LiveSample["stuck"] = [
      [3, 0, 7, 6000],
      [3, 1, 7, 5200],
      [3, 1, 99, 9000],
    ];
    track.takeSample(sample(0, 0, { stuck }), 0, 0);
    expect(service(track).figures.stuckMs).toBe(6000);
    track.takeSample(sample(100, 0), 100, 100);
    expect(service(track).figures.stuckMs).toBe(0);
  });

  it("knows of no stealing in a binary that does not count it", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    for (let t = 0; t <= 500; t += 100)
      track.takeSample(sample(t, t, { pools: [[3, 5, 1, 2, 0]], threads: [[3, 0, t, t, 0, 0, 1]] }), t, t);
    const pool = track.pools.get("front")!.figures;
    expect(pool.stolen).toBeNaN();
    expect(pool.threads[0]?.stolen).toBeNaN();
  });

  it("counts as the rate what was served, and keeps waiting apart from running", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    for (let t = 0; t <= 1000; t += 100)
      track.takeSample(
        sample(t, t, {
          outcomes: [
            [7, null, 0.08 * t, 0.52 * t, 0.3 * t, 0.1 * t],
            [7, 1, 0.02 * t, 0.5 * t, 0, 0],
          ],
          serviceWaits: [[7, null, 97_000, 98_000, 99_000, 99_500, 96_000]],
          serviceRuns: [
            [7, null, 3000, 3500, 4000, 4100, 3100],
            [7, 1, 2900, 3000, 3100, 3200, 2950],
          ],
        }),
        t,
        t,
      );
    const { figures } = service(track);
    expect([figures.rate, figures.expired, figures.skipped, figures.refused].map(Math.round)).toEqual([
      80, 520, 300, 100,
    ]);
    expect([figures.wait.p50, figures.run.p50, figures.run.mean]).toEqual([97_000, 3000, 3100]);
    const [, second] = figures.implementations;
    expect([second?.rate, second?.expired].map((rate) => Math.round(rate ?? -1))).toEqual([20, 500]);
    expect([second?.run.p50, second?.wait.p50]).toEqual([2900, null]);
  });

  it("knows of a stage what it served, how long it ran and what runs fused behind it", () => {
    const track = new BinaryTrack("ads-server");
    const stages = [{ id: "pick", service: 7, role: "map", pool: 3 }];
    track.takeSchema({
      ...schema(),
      flows: [{ id: 0, name: "Orders", source: { kind: "rate", perSecond: 1 }, stages }],
    });
    for (const t of [0, 1000])
      track.takeSample(
        sample(t, t, {
          flows: [[0, t, t, 0, 0, 0, null, null, null, null]],
          stages: [[0, 0, t, 0, 900, 900, 900, 900]],
          stageOutcomes: [[0, 0, 0.7 * t, 0.3 * t]],
          waits: [[0, 0, 800, 800, 800, 800]],
          runs: [[0, 0, 100, 100, 100, 100]],
          fused: [[0, 0, 250, 250, 250, 250]],
        }),
        t,
        t,
      );
    const [stage] = track.flows.get("Orders")!.figures.stages;
    expect(stage).toMatchObject({ p50: 900, wait: { p50: 800 }, run: { p50: 100 }, fused: { p50: 250 } });
    expect([stage?.rate, stage?.expired].map((rate) => Math.round(rate ?? -1))).toEqual([700, 300]);
  });

  it("leaves out rows with ids that it has no names for", () => {
    const track = new BinaryTrack("ads-server");
    track.takeSchema(schema());
    expect(() => track.takeSample(sample(0, 0, { pools: [[99, 1, 1, 1, 1]] }), 0, 0)).not.toThrow();
  });
});
