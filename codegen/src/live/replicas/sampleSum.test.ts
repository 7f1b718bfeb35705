import { describe, expect, test } from "vitest";
import type { LiveSample, LiveSchema } from "../../contract/index.js";
import { EMPTY_ROWS, EMPTY_SCHEMA } from "../testing/emptyFrames.js";
import { MOST_ENDED, SampleSum } from "./sampleSum.js";

const service = (id: number, name: string, implementations: string[] = []) => ({
  ...{ id, name, kind: "simple", pool: 0, implementations, written: true },
});
const flow = (id: number, name: string, stages: string[]) => ({
  ...{ id, name, source: { kind: "rate", perSecond: 1 } },
  stages: stages.map((stage) => ({ id: stage, service: 0, role: "map", pool: null })),
});
const schema: LiveSchema = {
  ...EMPTY_SCHEMA,
  services: [service(0, "GetAd", ["Fast", "Good"]), service(1, "LogAd")],
  calls: [
    { id: 3, from: 0, to: 1 },
    { id: 4, from: 1, to: 0 },
  ],
  flows: [flow(0, "Events", ["get", "log"])],
  links: [{ id: 0, binary: "models", transport: "shm" }],
  pools: ["default", "front"].map((name, id) => ({
    ...{ id, name, queue: 1, overflow: "block", idle: "park", priority: 0, threads: [] },
  })),
};
const sample = (t: number, rows: Partial<LiveSample>): LiveSample => ({
  ...EMPTY_ROWS,
  type: "sample",
  t,
  seq: 1,
  process: { cpuNs: 10, rssBytes: 100, threads: 3 },
  ...rows,
});
const none = [null, null, null, null, null] as const;

describe("the samples of several processes as one", () => {
  test("counts and what waits are summed, by the ids of what they are of", () => {
    const sum = new SampleSum(2);
    sum.take(1, schema, sample(1000, { services: [[0, 10, 1, 2, 0, ...none]], calls: [[3, 5, 1]] }));
    sum.take(2, schema, sample(900, { services: [[0, 7, 0, 1, 0, ...none]], calls: [[4, 2, 0]] }));
    expect(sum.sum(1, 0)).toMatchObject({
      t: 1000,
      services: [[0, 17, 1, 3, 0, ...none]],
      calls: [
        [3, 5, 1],
        [4, 2, 0],
      ],
      process: { cpuNs: 20, rssBytes: 200, threads: 6, processes: 2 },
    });
  });

  test("p50 is the mean by what each process has done since, the tail that of the worst", () => {
    const sum = new SampleSum(2);
    const said = (t: number, done: number, us: number): LiveSample =>
      sample(t, { services: [[0, done, 0, 0, 0, us, us * 2, us * 3, us * 4, us]] });
    for (const [replica, us] of [
      [1, 100],
      [2, 200],
    ] as const) {
      sum.take(replica, schema, said(1000, 1000, us));
      sum.take(replica, schema, said(2000, replica === 1 ? 1030 : 1010, us));
    }
    expect(sum.sum(1, 0)?.services).toEqual([[0, 2040, 0, 0, 0, 125, 400, 600, 800, 125]]);
  });

  test("a process without a figure does not draw the others down", () => {
    const sum = new SampleSum(2);
    sum.take(1, schema, sample(1000, { waits: [[0, 0, 8, 8, 8, 8, 8]] }));
    sum.take(2, schema, sample(1000, { waits: [[0, 0, ...none]] }));
    expect(sum.sum(1, 0)?.waits).toEqual([[0, 0, 8, 8, 8, 8, 8]]);
  });

  test("what a process counted stays when it has ended, what waited in it does not", () => {
    const sum = new SampleSum(2);
    sum.take(1, schema, sample(1000, { services: [[0, 10, 1, 2, 0, ...none]] }));
    sum.take(2, schema, sample(1000, { services: [[0, 7, 0, 1, 0, ...none]] }));
    sum.end(2);
    expect(sum.sum(1, 0)?.services).toEqual([[0, 17, 1, 2, 0, ...none]]);
    sum.take(2, schema, sample(10, { services: [[0, 2, 0, 0, 0, ...none]] }));
    sum.end(2);
    expect(sum.sum(1, 0)?.services).toEqual([[0, 19, 1, 2, 0, ...none]]);
    expect(sum.sum(1, 0)?.process.cpuNs).toBe(30);
  });

  test("a thread has the mean of what is counted of it, and its pool the sum", () => {
    const sum = new SampleSum(2);
    sum.take(
      1,
      schema,
      sample(1000, { threads: [[0, 0, 100, 50, 2, 4, 1, 0]], pools: [[0, 1, 1, 2, 0, 9]] }),
    );
    sum.take(
      2,
      schema,
      sample(1000, { threads: [[0, 0, 300, 70, 4, 4, 0, 2]], pools: [[0, 2, 1, 2, 1, 1]] }),
    );
    expect(sum.sum(1, 0)).toMatchObject({
      threads: [[0, 0, 200, 60, 3, 4, 1, 1]],
      pools: [[0, 3, 2, 4, 1, 10]],
    });
  });

  test("pools are the same by their names, whatever a process has numbered them", () => {
    const sum = new SampleSum(2);
    const [first, front] = schema.pools;
    const other = {
      ...schema,
      pools: [
        { ...first!, id: 0 },
        { ...front!, id: 7 },
        { ...front!, id: 1, name: "gone by now" },
      ],
    };
    sum.take(1, schema, sample(1000, { pools: [[1, 1, 1, 2, 0, 0]] }));
    sum.take(
      2,
      other,
      sample(1000, {
        pools: [
          [7, 2, 1, 2, 0, 0],
          [1, 50, 50, 50, 50, 50],
        ],
      }),
    );
    expect(sum.sum(1, 0)?.pools).toEqual([[1, 3, 2, 4, 0, 0]]);
  });

  test("what an ended process counted of a pool goes by the pool's name, and stays though no other one says it", () => {
    const sum = new SampleSum(2);
    const [first, front] = schema.pools;
    const other = {
      ...schema,
      pools: [
        { ...first!, id: 1 },
        { ...front!, id: 0 },
      ],
    };
    sum.take(
      1,
      schema,
      sample(1000, {
        pools: [
          [0, 0, 0, 2, 0, 3],
          [1, 0, 0, 2, 0, 10],
        ],
      }),
    );
    const outcomes: LiveSample["stageOutcomes"] = [[0, 1, 5, 0]];
    sum.take(
      2,
      other,
      sample(1000, {
        pools: [
          [0, 4, 4, 2, 0, 500],
          [1, 0, 0, 2, 0, 4],
        ],
        stageOutcomes: outcomes,
      }),
    );
    const of = (at: LiveSample | undefined) => [at?.pools.map((row) => [row[0], row[5]]), at?.stageOutcomes];
    const before = of(sum.sum(1, 0));
    expect(before).toEqual([
      [
        [0, 7],
        [1, 510],
      ],
      outcomes,
    ]);
    sum.end(2);
    expect(of(sum.sum(1, 0))).toEqual(before);
    expect(sum.sum(1, 0)?.pools[1]).toEqual([1, 0, 0, 2, 0, 510]);
  });

  test("times and traces are the leader's, so much later", () => {
    const sum = new SampleSum(2);
    sum.take(2, schema, sample(500, { traces: [[0, 480, 20, "completed", []]] }));
    sum.take(1, schema, sample(9000, { traces: [[0, 8000, 20, "completed", []]] }));
    expect(sum.sum(2, 1000)).toMatchObject({ t: 1500, traces: [[0, 1480, 20, "completed", []]] });
  });

  test("rows that have no cells of their own stand one after the other", () => {
    const sum = new SampleSum(2);
    sum.take(1, schema, sample(1000, { stuck: [[0, 0, 0, 6000]] }));
    sum.take(2, schema, sample(1000, { stuck: [[0, 0, 0, 7000]] }));
    expect(sum.sum(1, 0)?.stuck).toHaveLength(2);
  });

  test("all is the same by its names, also in a process of another drawing, and what only that one has is left out", () => {
    const other: LiveSchema = {
      ...schema,
      topologyHash: "sha256:1",
      services: [service(0, "New"), service(1, "LogAd"), service(2, "GetAd", ["Best", "Good", "Fast"])],
      calls: [
        { id: 3, from: 0, to: 1 },
        { id: 0, from: 2, to: 1 },
      ],
      flows: [flow(0, "More", ["get"]), flow(1, "Events", ["look", "get", "log"])],
      links: [
        { id: 0, binary: "prices", transport: "shm" },
        { id: 1, binary: "models", transport: "shm" },
      ],
    };
    const ofLeader = sample(1000, {
      services: [[0, 10, 0, 0, 0, ...none]],
      implementations: [[0, 1, 10, 0, ...none]],
      outcomes: [[0, null, 10, 0, 0, 0]],
      calls: [[3, 5, 0]],
      flows: [[0, 8, 8, 0, 0, 0, ...none]],
      stages: [[0, 1, 8, 0, ...none]],
      links: [[0, 1, 0, 100, 100, 0, null]],
    });
    const ofOther = sample(1000, {
      services: [
        [0, 500, 0, 0, 0, ...none],
        [2, 7, 0, 0, 0, ...none],
      ],
      implementations: [
        [2, 0, 500, 0, ...none],
        [2, 1, 7, 0, ...none],
      ],
      outcomes: [
        [0, null, 500, 0, 0, 0],
        [2, null, 7, 0, 0, 0],
      ],
      calls: [
        [3, 500, 0],
        [0, 2, 0],
      ],
      flows: [
        [0, 500, 500, 0, 0, 0, ...none],
        [1, 3, 3, 0, 0, 0, ...none],
      ],
      stages: [
        [0, 0, 500, 0, ...none],
        [1, 0, 500, 0, ...none],
        [1, 2, 3, 0, ...none],
      ],
      links: [
        [0, 1, 0, 500, 500, 0, null],
        [1, 1, 0, 10, 10, 0, null],
      ],
      stuck: [
        [0, 0, 0, 6000],
        [0, 0, 2, 7000],
      ],
    });
    const counted = {
      services: [[0, 17, 0, 0, 0, ...none]],
      implementations: [[0, 1, 17, 0, ...none]],
      outcomes: [[0, null, 17, 0, 0, 0]],
      calls: [[3, 7, 0]],
      flows: [[0, 11, 11, 0, 0, 0, ...none]],
      stages: [[0, 1, 11, 0, ...none]],
    };
    const sum = new SampleSum(2);
    sum.take(1, schema, ofLeader);
    sum.take(2, other, ofOther);
    expect(sum.sum(1, 0)).toMatchObject({
      ...counted,
      links: [[0, 2, 0, 110, 110, 0, null]],
      stuck: [[0, 0, 0, 7000]],
    });
    sum.end(2);
    expect(sum.sum(1, 0)).toMatchObject({ ...counted, links: [[0, 1, 0, 110, 110, 0, null]] });
  });

  test("what is started anew for ever, with other names each time, fills no memory", () => {
    const sum = new SampleSum(2);
    const named = (from: number, count: number): LiveSchema => ({
      ...schema,
      services: Array.from({ length: count }, (_, at) => service(at, `S${from + at}`)),
      calls: Array.from({ length: count }, (_, at) => ({ id: at, from: at, to: at })),
    });
    const all = named(0, 4 * MOST_ENDED);
    for (let from = 0; from <= 3 * MOST_ENDED; from += MOST_ENDED / 2) {
      sum.take(1, all, sample(1000, { calls: [[0, 5, 0]] }));
      const calls = Array.from({ length: MOST_ENDED }, (_, at): [number, number, number] => [at, 1, 0]);
      sum.take(2, named(from, MOST_ENDED), sample(1000, { calls }));
      sum.end(2);
    }
    expect(sum.sum(1, 0)?.calls).toHaveLength(MOST_ENDED);
  });

  test("a mean begins anew when other processes are meant, and what is counted goes on", () => {
    const sum = new SampleSum(1);
    const said = (busyNs: number, done: number): LiveSample =>
      sample(1000, {
        services: [[0, done, 0, 0, 0, ...none]],
        threads: [[0, 0, busyNs, busyNs, 4, 0, 1, 0]],
      });
    sum.take(1, schema, said(1000, 10));
    sum.expect(2);
    sum.join(schema, said(600, 70));
    sum.take(2, schema, said(600, 70));
    expect(sum.sum(1, 0)).toMatchObject({
      services: [[0, 10, 0, 0, 0, ...none]],
      threads: [[0, 0, 0, 0, 0, 0, 1, 0]],
    });
    sum.take(1, schema, said(1400, 15));
    sum.take(2, schema, said(700, 72));
    expect(sum.sum(1, 0)).toMatchObject({
      services: [[0, 17, 0, 0, 0, ...none]],
      threads: [[0, 0, 250, 250, 0, 0, 1, 0]],
    });
  });
});
