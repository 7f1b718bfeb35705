import { expect, test } from "vitest";
import type { LiveSample, LiveSchema, PoolAdapting, PresetRuling } from "../../contract/index.js";
import { duration, figuresTable } from "../tables/figuresTable.js";
import { figuresOf } from "./nodeFigures.js";
import { paintFor } from "../terminal/paint.js";

const schema: LiveSchema = {
  type: "schema",
  version: 1,
  project: "ads",
  binary: "ads-server",
  topologyHash: "sha256:0",
  runtime: "0.1.0",
  pid: 1,
  startedAtMs: 0,
  intervalMs: 100,
  sampling: 3,
  services: [{ id: 7, name: "GetAd", kind: "async-remote", pool: 2, implementations: [], written: true }],
  calls: [],
  flows: [{ id: 1, name: "Impressions", source: { kind: "rate", perSecond: 200 }, stages: [] }],
  pools: [
    { id: 2, name: "front", queue: 1024, overflow: "block", idle: "adaptive", priority: 0, threads: [] },
  ],
};
const sample = (t: number, requests: number, errors: number, busyNs: number): LiveSample => ({
  type: "sample",
  t,
  seq: t,
  services: [[7, requests, errors, 0, 0, 40, 90, 12_345, 20_000]],
  implementations: [],
  calls: [],
  flows: [[1, requests, requests, errors, 0, 3, null, null, null, null]],
  stages: [],
  pools: [[2, 5, 1, 2, 0]],
  threads: [
    [2, 0, busyNs, 0, 0, 0, 0],
    [2, 1, busyNs, 0, 0, 0, 0],
  ],
  process: { cpuNs: 0, rssBytes: 0, threads: 4 },
});

test("rates are differences of totals over the time between two samples", () => {
  const figures = figuresOf(schema, sample(2000, 500, 10, 1e9), sample(1000, 300, 8, 0.5e9));
  expect(
    figures.nodes.map(({ node, callsPerSecond, errorsPerSecond }) => [node, callsPerSecond, errorsPerSecond]),
  ).toEqual([
    ["flow:Impressions", 200, 2],
    ["service:GetAd", 200, 2],
  ]);
  expect(figures.pools[0]?.load).toBeCloseTo(0.5);
});

test("there is no rate without an earlier sample, nor across a restart", () => {
  expect(figuresOf(schema, sample(2000, 500, 0, 0)).nodes[1]?.callsPerSecond).toBeNull();
  expect(
    figuresOf(schema, sample(2000, 5, 0, 0), sample(1000, 300, 0, 0)).nodes[1]?.callsPerSecond,
  ).toBeNull();
});

test("the table has a row a node with the queue of its pool, and fits the width", () => {
  const figures = figuresOf(schema, sample(2000, 500, 10, 1e9), sample(1000, 300, 8, 0.5e9));
  const plain = paintFor(false, {});
  const lines = figuresTable(figures, plain, 200);
  expect(lines).toEqual([
    "ads-server  up 2 s",
    "node         served/s  errors/s    p50      p99  waited  ran  queue     busy",
    "Impressions       200       2.0      -        -",
    "GetAd             200       2.0  40 us  12.3 ms                   5  1/2 50%",
    "pool front                                                        5  1/2 50%",
  ]);
  expect(figuresTable(figures, plain, 20).every((line) => line.length <= 20)).toBe(true);
});

test("a stage has its own figures, and how long events waited before it", () => {
  const staged: LiveSchema = {
    ...schema,
    flows: [
      {
        ...schema.flows[0]!,
        stages: [
          { id: "pick", service: 7, role: "map", pool: 2 },
          { id: "again", service: 7, role: "map", pool: null },
        ],
      },
    ],
  };
  const at = (t: number, count: number): LiveSample => ({
    ...sample(t, count, 0, 0),
    stages: [
      [1, 0, count, 1, 50, 60, 70, 80, 55],
      [1, 1, count, 0, 5, 6, 7, 8],
    ],
    waits: [
      [1, 0, 30, 31, 32, 33, 30.5],
      [1, 1, null, null, null, null],
    ],
  });
  const figures = figuresOf(staged, at(2000, 300), at(1000, 200));
  expect(figures.stages).toMatchObject([
    {
      node: "stage:Impressions/pick",
      service: "GetAd",
      total: 300,
      errors: 1,
      callsPerSecond: 100,
      p50Us: 50,
      maxUs: 80,
      meanUs: 55,
      wait: { p50Us: 30, p99Us: 32, meanUs: 30.5 },
    },
    { node: "stage:Impressions/again", meanUs: null, wait: { p50Us: null } },
  ]);
  expect(figuresTable(figures, paintFor(false, {}), 200)[3]).toMatch(
    /^GetAd +100 +0\.0 +40 us +12\.3 ms +30 us +5 +1\/2/,
  );
});

test("a service's rate is what it served, with what was not beside it, and ran apart from waited", () => {
  const models: LiveSchema = {
    ...schema,
    services: [{ ...schema.services[0]!, implementations: ["ModelA", "ModelB"] }],
  };
  const at = (t: number, n: number): LiveSample => ({
    ...sample(t, 6 * n, 0, 0),
    outcomes: [
      [7, null, n, 4 * n, n, 0],
      [7, 0, n, n, n, 0],
      [7, 1, 0, 3 * n, 0, 0],
    ],
    serviceWaits: [[7, null, 97_000, 1, 1, 1]],
    serviceRuns: [
      [7, null, 3000, 1, 1, 1],
      [7, 0, 2900, 1, 1, 1],
      [7, 1, null, null, null, null],
    ],
  });
  const figures = figuresOf(models, at(2000, 200), at(1000, 100));
  expect(figures.nodes[1]).toMatchObject({
    callsPerSecond: 100,
    expiredPerSecond: 400,
    skippedPerSecond: 100,
    refusedPerSecond: 0,
    waitP50Us: 97_000,
    runP50Us: 3000,
    implementations: [
      { name: "ModelA", callsPerSecond: 100, expiredPerSecond: 100, runP50Us: 2900 },
      { name: "ModelB", callsPerSecond: 0, expiredPerSecond: 300, runP50Us: null },
    ],
  });
  expect(figuresTable(figures, paintFor(false, {}), 200)).toEqual([
    "ads-server  up 2 s",
    "node         served/s  errors/s  expired/s  skipped/s    p50      p99   waited     ran  queue    busy",
    "Impressions       600       0.0                            -        -",
    "GetAd             100       0.0        400        100  40 us  12.3 ms  97.0 ms  3.0 ms      5  1/2 0%",
    "  ModelA          100                  100        100                           2.9 ms",
    "  ModelB          0.0                  300",
    "pool front                                                                                  5  1/2 0%",
  ]);
});

test("a drawn call has its rate, and a sampled event its way by name", () => {
  const drawn: LiveSchema = {
    ...schema,
    services: [...schema.services, { ...schema.services[0]!, id: 8, name: "ProduceAd" }],
    remotes: [{ id: 9, name: "Price", binary: "prices" }],
    calls: [
      { id: 0, from: 7, to: 8 },
      { id: 1, from: 8, to: 9 },
    ],
    flows: [
      {
        ...schema.flows[0]!,
        stages: [
          { id: "pick", service: 7, role: "map", pool: 2 },
          { id: "cost", service: 9, role: "map", pool: null },
        ],
      },
    ],
  };
  const at = (t: number, count: number): LiveSample => ({
    ...sample(t, count, 0, 0),
    stages: [[1, 1, count, 0, null, null, null, null]],
    calls: [
      [0, 3 * count, 1],
      [1, count, 0],
    ],
    traces: [[1, 1950.5, 120, "failed", [[0, 2, 1, 5, 10, 100, 1]]]],
  });
  const figures = figuresOf(drawn, at(2000, 300), at(1000, 200));
  expect(figures.calls).toEqual([
    { edge: "call:GetAd>ProduceAd", total: 900, errors: 1, callsPerSecond: 300, errorsPerSecond: 0 },
    { edge: "call:ProduceAd>Price", total: 300, errors: 0, callsPerSecond: 100, errorsPerSecond: 0 },
  ]);
  expect(figures.stages).toMatchObject([{ node: "stage:Impressions/cost", service: "Price", total: 300 }]);
  expect(figures.traces).toEqual([
    {
      node: "flow:Impressions",
      startedMs: 1950.5,
      totalUs: 120,
      outcome: "failed",
      steps: [
        {
          stage: "pick",
          service: "GetAd",
          implementation: "",
          depth: 0,
          thread: "front·1",
          atUs: 5,
          waitUs: 10,
          runUs: 100,
          failed: true,
        },
      ],
    },
  ]);
});

test("a stage has the queue and threads of the pool it runs on, called services those of their placement", () => {
  const pool = (id: number, name: string) => ({ ...schema.pools[0]!, id, name });
  const service = (id: number, name: string) => ({ ...schema.services[0]!, id, name, pool: 0 });
  const stage = (id: string, ref: number, on: number | null) => ({ id, service: ref, role: "map", pool: on });
  const joined: LiveSchema = {
    ...schema,
    services: ["Parse", "Check", "Store", "Send", "Post"].map((name, id) => service(id, name)),
    flows: [
      {
        ...schema.flows[0]!,
        stages: [
          stage("parse", 0, null),
          stage("check", 1, 1),
          stage("store", 2, null),
          stage("send", 3, 2),
          stage("again", 2, 2),
        ],
      },
    ],
    pools: [pool(0, "default"), pool(1, "database"), pool(2, "Impressions.send")],
  };
  const figures = figuresOf(joined, {
    ...sample(2000, 0, 0, 0),
    services: joined.services.map(({ id }) => [id, 0, 0, 0, 0, null, null, null, null]),
    pools: [
      [0, 7, 0, 8, 0],
      [1, 40, 6, 6, 0],
      [2, 3, 1, 2, 0],
    ],
    threads: [],
  });
  expect(figures.nodes.filter(({ node }) => node !== "flow:Impressions").map(({ pool: on }) => on)).toEqual([
    "default",
    "database",
    "database",
    "Impressions.send",
    "default",
  ]);
  expect(figuresTable(figures, paintFor(false, {}), 200).find((line) => line.startsWith("Check"))).toMatch(
    / 40 +6\/6$/,
  );
});

test("a handler that keeps its thread is marked on its service, with the longest time", () => {
  const stuck: LiveSample["stuck"] = [
    [2, 0, 7, 5_200],
    [2, 1, 7, 12_900],
  ];
  const figures = figuresOf(schema, { ...sample(20_000, 500, 0, 0), stuck });
  expect(figures.nodes.map(({ node, stuckMs }) => [node, stuckMs])).toEqual([
    ["flow:Impressions", 0],
    ["service:GetAd", 12_900],
  ]);
  const lines = figuresTable(figures, paintFor(true, {}), 200);
  expect(lines[3]).toMatch(/^\u001b\[31mGetAd .* {2}stuck 12 s\u001b\[39m$/);
  expect(lines.filter((line) => line.includes("stuck"))).toHaveLength(1);
});

test("a pool says what its idle threads took from busy ones", () => {
  const pools = (stolen?: number): LiveSample["pools"] => [
    stolen === undefined ? [2, 0, 1, 2, 0] : [2, 0, 1, 2, 0, stolen],
  ];
  const earlier = { ...sample(1000, 0, 0, 0), pools: pools(40) };
  const figures = figuresOf(schema, { ...sample(2000, 0, 0, 0), pools: pools(47) }, earlier);
  expect(figures.pools[0]?.stolenPerSecond).toBe(7);
  expect(figuresTable(figures, paintFor(false, {}), 200).at(-1)).toMatch(/^pool front .* {2}stole 7\.0\/s$/);
  const uncounted = figuresOf(schema, { ...sample(2000, 0, 0, 0), pools: pools() }, earlier);
  expect(uncounted.pools[0]?.stolenPerSecond).toBeNull();
});

test("a link to another binary says how far it is and what goes there, or why nobody is reached", () => {
  const last = (
    down?: string,
    resentPercent: number | null = null,
    trips: [p50?: number, p99?: number] = [],
  ): string | undefined => {
    const links = [{ id: 3, binary: "far", transport: "unix", ...(down === undefined ? {} : { down }) }];
    const figures = figuresOf(
      { ...schema, links },
      { ...sample(2000, 0, 0, 0), links: [[3, 2, 7, 1_250_000, 900, 1, 84.2, resentPercent, ...trips]] },
      { ...sample(1000, 0, 0, 0), links: [[3, 2, 0, 50_000, 260, 1, null]] },
    );
    expect(figures.links).toEqual([
      {
        binary: "far",
        transport: "unix",
        open: 2,
        waiting: 7,
        sentBytesPerSecond: 1_200_000,
        receivedBytesPerSecond: 640,
        broken: 1,
        roundTripUs: 84.2,
        roundTripP50Us: trips[0] ?? null,
        roundTripP99Us: trips[1] ?? null,
        resentPercent,
        down: down ?? null,
      },
    ]);
    return figuresTable(figures, paintFor(false, {}), 200).at(-1);
  };
  expect(last()).toMatch(/^to far +7 +unix, 84 us away, 1\.2 MB\/s out, 640 B\/s in, broke 1x$/);
  expect(last(undefined, null, [61.5, 1310])).toContain("unix, 62 us away (p99 1.3 ms), 1.2 MB/s out");
  expect(last(undefined, 0.9)).not.toContain("again");
  expect(last(undefined, 19.6)).toContain("unix, 84 us away, degraded: 20 % sent again, 1.2 MB/s out");
  expect(last("far cannot be reached")).toMatch(/^to far +7 +far cannot be reached$/);
});

test("a pool whose threads come and go says its bounds, and when it is at their end or at rest", () => {
  const last = (adaptive: Partial<PoolAdapting>): string | undefined => {
    const said: PoolAdapting = {
      from: 2,
      to: 8,
      on: true,
      by: "controller",
      steps: 3,
      waitedMs: 9,
      ...adaptive,
    };
    const pools = schema.pools.map((pool) => ({ ...pool, adaptive: said }));
    const figures = figuresOf({ ...schema, pools }, { ...sample(2000, 0, 0, 0), pools: [[2, 0, 1, 2, 0]] });
    expect(figures.pools[0]?.adaptive).toEqual(said);
    return figuresTable(figures, paintFor(false, {}), 200).at(-1);
  };
  expect(last({})).toMatch(/ 2-8 threads$/);
  expect(last({ from: 1, to: 2 })).toMatch(/ 1-2 threads, the most$/);
  expect(last({ on: false })).toMatch(/ 2-8 threads, at rest$/);
});

test("a rule says which preset it brought into force, and whether it rests", () => {
  const last = (said: Partial<PresetRuling>): string | undefined => {
    const rule: PresetRuling = {
      of: "Impressions",
      below: { perSecond: 1000, preset: "calm" },
      above: { perSecond: 5000, preset: "busy" },
      forSeconds: 5,
      on: true,
      by: "rule",
      preset: "busy",
      switches: 1,
      perSecond: 5400,
      ...said,
    };
    const figures = figuresOf({ ...schema, rules: [rule] }, sample(2000, 0, 0, 0));
    expect(figures.rules).toEqual([rule]);
    return figuresTable(figures, paintFor(false, {}), 200).at(-1);
  };
  expect(last({})).toMatch(/^rule Impressions .* busy$/);
  expect(last({ preset: null })).toMatch(/ no preset yet$/);
  expect(last({ on: false })).toMatch(/ busy, at rest$/);
  expect(last({ on: false, preset: null, refused: "no CPU 9" })).toMatch(
    / no preset yet, at rest: no CPU 9$/,
  );
  expect(figuresOf(schema, sample(2000, 0, 0, 0)).rules).toEqual([]);
});

test("times are shown in the unit that reads best", () => {
  expect([0.4, 999, 12_345, 250_000, 1_200_000, null].map(duration)).toEqual([
    "0.4 us",
    "999 us",
    "12.3 ms",
    "250 ms",
    "1.20 s",
    "-",
  ]);
});
