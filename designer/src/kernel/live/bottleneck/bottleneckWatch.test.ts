import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../../testing/sampleOf.js";
import { schemaOf, threadsOf } from "../../../testing/schemaOf.js";
import type { ThreadPlace } from "../names/threadPlaces.js";
import { BinaryTrack } from "../track/binaryTrack.js";
import { BottleneckWatch } from "./bottleneckWatch.js";

const service = (id: number, name: string, kind = "simple") => ({
  id,
  name,
  kind,
  pool: 0,
  implementations: [],
  written: true,
});
const threeThreads = [{ id: 0, name: "models", queue: 900, threads: threadsOf(3) }];
const called = schemaOf({ services: [service(0, "ProduceAd"), service(1, "LogAd")], pools: threeThreads });
const chain = schemaOf({
  services: [service(0, "Parse"), service(1, "Check")],
  pools: threeThreads,
  flows: [
    {
      id: 0,
      name: "F",
      source: { kind: "rate", perSecond: 100 },
      stages: [
        { id: "parse", service: 0, role: "map", pool: null },
        { id: "check", service: 1, role: "map", pool: null },
      ],
    },
  ],
});

interface Second {
  /** Share of the time that each thread of the pool is at work. */
  busy: number[];
  queued: number;
  rows?: Partial<LiveSample>;
}
/** Eight seconds of a pool of three threads; of each service 100 a second run for 5 ms after 2 s in the queue. */
function watched(
  schema: LiveSchema,
  places: Record<string, number>,
  second: (at: number) => Second,
  partitioned = false,
) {
  const track = new BinaryTrack(schema.binary);
  track.takeSchema(schema);
  const watch = new BottleneckWatch();
  const placed = new Map(
    Object.entries(places).map(([name, thread]): [string, ThreadPlace] => [
      name,
      { pool: "models", thread, partitioned },
    ]),
  );
  for (let at = 0; at <= 8; at++) {
    const t = at * 1000;
    const { busy, queued, rows } = second(at);
    track.takeSample(
      sampleOf(t, {
        services: schema.services.map(({ id }) => [id, 100 * at, 0, 0, 0, 2_005_000, 1, 1, 1]),
        serviceWaits: schema.services.map(({ id }) => [id, null, 2_000_000, 1, 1, 1, 2_000_000]),
        serviceRuns: schema.services.map(({ id }) => [id, null, 5000, 1, 1, 1, 5000]),
        pools: [[0, queued, 1, 3, 0]],
        threads: busy.map((share, index) => [0, index, share * t * 1e6, 0, 0, 0, 0]),
        ...rows,
      }),
      t,
      t,
    );
    watch.look(track, 4, () => placed);
  }
  return watch.found;
}
/** The services run as the stages of the flow alone, the second for most of the time. */
const staged = (at: number): Partial<LiveSample> => ({
  stages: [
    [0, 0, 100 * at, 0, 1, 1, 1, 1],
    [0, 1, 100 * at, 0, 1, 1, 1, 1],
  ],
  waits: [
    [0, 0, 2_000_000, 1, 1, 1, 2_000_000],
    [0, 1, 0, 0, 0, 0, 0],
  ],
  runs: [
    [0, 0, 100, 1, 1, 1, 100],
    [0, 1, 9800, 1, 1, 1, 9800],
  ],
});
/** The last of three threads has more to do than it can, the others idle. */
const lastFull = (at: number): Second => ({ busy: [0.02, 0.06, 1], queued: 20 * at });

it("keeps its list, as those who show it look anew at another one, while nothing is found", () => {
  const track = new BinaryTrack(called.binary);
  track.takeSchema(called);
  const watch = new BottleneckWatch();
  const lists = [1000, 2000, 3000].map((t) => {
    track.takeSample(sampleOf(t, {}), t, t);
    watch.look(track, 4);
    return watch.found;
  });
  expect(lists).toEqual([[], [], []]);
  expect(lists[1]).toBe(lists[0]);
  expect(lists[2]).toBe(lists[0]);
});

describe("a thread that something is placed on alone", () => {
  it("is the bottleneck where its queue grows while the others of the pool idle", () => {
    const found = watched(called, { ProduceAd: 2 }, lastFull);
    expect(found).toEqual([
      {
        binary: "ads-server",
        pool: "models",
        thread: 2,
        services: ["ProduceAd"],
        stages: [],
        sinceMs: 7000,
        threads: 1,
        // Of its own third of the places.
        queueFill: 160 / 300,
        reason:
          "Busy for 7 s while the other 2 threads of models are busy 4 % of the time, queue 53 % full. " +
          "ProduceAd runs 5.0 ms a request on average.",
        useThreads: null,
        place: { service: "ProduceAd" },
        how: "120/s × 5.0 ms = 0.6 busy on average; models has 3 threads.",
        advice: "ProduceAd is placed on this thread alone, though any thread of models could run it.",
      },
    ]);
  });

  it("is none while nothing is placed on it, nor where it keeps up, nor where the pool idles", () => {
    expect(watched(called, {}, lastFull)).toEqual([]);
    expect(watched(called, { ProduceAd: 1 }, lastFull)).toEqual([]);
    expect(watched(called, { ProduceAd: 2 }, (at) => ({ ...lastFull(at), queued: 0 }))).toEqual([]);
    expect(watched(called, { ProduceAd: 2 }, (at) => ({ ...lastFull(at), busy: [0.1, 0.1, 0.7] }))).toEqual(
      [],
    );
  });

  it("is none where what is placed on it does not wait: the pool's queue is of something else", () => {
    const found = watched(called, { ProduceAd: 2 }, (at) => ({
      ...lastFull(at),
      rows: {
        serviceWaits: [
          [0, null, 300, 1, 1, 1, 300],
          [1, null, 2_000_000, 1, 1, 1, 2_000_000],
        ],
      },
    }));
    expect(found).toEqual([]);
  });

  it("is left to its pool where all threads of that are at work, unless all they do is placed on one each", () => {
    const full = (at: number): Second => ({ busy: [1, 1, 1], queued: 20 * at });
    expect(watched(called, { ProduceAd: 2 }, full)).toMatchObject([
      { pool: "models", threads: 3, useThreads: 4 },
    ]);
    expect(watched(called, { ProduceAd: 2 }, full)[0]?.thread).toBeUndefined();
    expect(watched(called, { ProduceAd: 2, LogAd: 0 }, full)).toMatchObject([
      { thread: 2, services: ["ProduceAd"], useThreads: null },
      { thread: 0, services: ["LogAd"], useThreads: null },
    ]);
  });

  it("has what runs fused behind the stage that is placed there, which is what has to be placed elsewhere", () => {
    const found = watched(chain, { Parse: 2 }, (at) => ({
      ...lastFull(at),
      rows: staged(at),
    }));
    expect(found).toMatchObject([
      {
        thread: 2,
        services: ["Check"],
        stages: [{ flow: "F", id: "check" }],
        place: { service: "Parse" },
        advice:
          "Parse, behind which Check runs, is placed on this thread alone, though any thread of models could run it.",
      },
    ]);
  });

  it("does not have what a join gives to the whole pool, wherever calls to the first stage are placed", () => {
    const [flow] = chain.flows;
    const joined = {
      ...chain,
      flows: [{ ...flow!, stages: flow!.stages.map((one) => ({ ...one, pool: 0 })) }],
    };
    const found = watched(joined as LiveSchema, { Parse: 2 }, (at) => ({
      ...lastFull(at),
      rows: staged(at),
    }));
    expect(found).toEqual([]);
  });
});

describe("a single-threaded service on a full thread", () => {
  const single = { ...called, services: [service(0, "ProduceAd", "single-threaded"), service(1, "LogAd")] };

  it("has no use of more threads where it is alone there", () => {
    const [found] = watched(single as LiveSchema, { ProduceAd: 2 }, lastFull);
    expect(found?.thread).toBe(2);
    expect(found?.place).toBeUndefined();
    expect(found?.advice).toContain("partition");
  });

  it("could use all of the pool where it is partitioned", () => {
    const found = watched(single as LiveSchema, { ProduceAd: 2 }, lastFull, true);
    expect(found).toMatchObject([{ thread: 2, place: { service: "ProduceAd" } }]);
    expect(found[0]?.place?.thread).toBeUndefined();
  });

  it("leaves it to the other work there, for the thread that has most room", () => {
    const found = watched(single as LiveSchema, { ProduceAd: 2, LogAd: 2 }, lastFull);
    expect(found).toMatchObject([
      {
        thread: 2,
        place: { service: "ProduceAd", thread: 0 },
        advice: "ProduceAd is placed on this thread, and so is other work that it holds up.",
      },
    ]);
  });
});

describe("the way to another binary", () => {
  const front = schemaOf({
    services: [service(0, "Serve")],
    pools: threeThreads,
    calls: [{ id: 0, from: 0, to: 1 }],
    remotes: [{ id: 1, name: "ProduceAd" }],
    links: [{ id: 0, binary: "models-server", transport: "tcp" }],
  });

  /** Eight seconds of a caller whose calls wait, and of the binary that it calls with its pool so busy. */
  function watchedLink(
    waiting: (at: number) => number,
    open = 1,
    busy = 0.2,
    known = true,
    silent = { processes: 0, of: 1 },
  ) {
    const [track, there] = [new BinaryTrack(front.binary), new BinaryTrack("models-server")];
    track.takeSchema(front);
    there.takeSchema({ ...called, binary: "models-server" });
    const watch = new BottleneckWatch();
    for (let at = 0; at <= 8; at++) {
      const t = at * 1000;
      const rows: Partial<LiveSample> = {
        pools: [[0, busy >= 1 ? 20 * at : 0, 1, 3, 0]],
        threads: [0, 1, 2].map((index) => [0, index, busy * t * 1e6, 0, 0, 0, 0]),
      };
      there.takeSample(sampleOf(t, rows), t, t);
      watch.look(there, 4);
      track.takeSample(sampleOf(t, { links: [[0, open, waiting(at), 0, 0, 0, 100]] }), t, t);
      const trackOf = (name: string) => (known && name === "models-server" ? there : undefined);
      watch.look(track, 4, undefined, trackOf, () => silent);
    }
    return watch.found;
  }

  it("is one where calls wait for a process over there that takes them, and no pool there is full", () => {
    const [found, ...others] = watchedLink(() => 12);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      link: "models-server",
      pool: "",
      services: ["ProduceAd"],
      useThreads: null,
    });
    expect(found?.reason).toContain(
      "For 8 s calls have waited until a process of models-server takes them, 12 now.",
    );
  });

  it("says of pools that keep up only where their figures are known", () => {
    expect(watchedLink(() => 12)[0]?.reason).toContain("under way, and its pools keep up.");
    expect(watchedLink(() => 12, 1, 0.2, false)[0]?.reason).toMatch(/ are under way\.$/);
  });

  it("names the pool there whose queue is as long as what is under way, where it is known", () => {
    expect(watchedLink(() => 12)[0]?.advice).toMatch(/^A longer queue of the pool models there lets /);
    expect(watchedLink(() => 12, 1, 0.2, false)[0]?.advice).toMatch(
      /^A longer queue of the pool there lets /,
    );
    expect(watchedLink(() => 12)[0]?.far).toEqual({ pools: ["models"], processes: 1 });
  });

  it("says that who is called does not answer, and not that its pools keep up", () => {
    const [one] = watchedLink(() => 12, 1, 0.2, true, { processes: 1, of: 2 });
    expect(one?.reason).toMatch(/, 12 now\. 1 of its 2 processes does not answer\.$/);
    expect(one?.advice).toMatch(/^Its log may say why/);
    expect(one?.far).toBeUndefined();
    const [alone] = watchedLink(() => 12, 1, 0.2, false, { processes: 1, of: 1 });
    expect(alone?.reason).toMatch(/ models-server does not answer\.$/);
  });

  it("is none where they waited for a moment, or nobody is reached", () => {
    expect(watchedLink((at) => (at === 6 ? 0 : 12))).toEqual([]);
    expect(watchedLink(() => 12, 0)).toEqual([]);
  });

  it("is none where a pool over there is one", () => {
    expect(watchedLink(() => 12, 1, 1).map(({ pool, link }) => [pool, link])).toEqual([
      ["models", undefined],
    ]);
  });
});

it("sees that several processes use all CPUs together, of which each uses a part", () => {
  const [found] = watched(called, {}, (at) => ({
    busy: [],
    queued: 100 * at,
    rows: {
      pools: [[0, 100 * at, 6, 6, 1]],
      threads: [0, 1, 2].map((index) => [0, index, at * 1e9, at * 0.65e9, 0, 0, 0]),
      process: { cpuNs: 0, rssBytes: 0, threads: 6, processes: 2 },
    },
  }));
  expect(found).toMatchObject({ pool: "models", useThreads: null });
  expect(found?.advice).toContain("4 CPUs");
});
