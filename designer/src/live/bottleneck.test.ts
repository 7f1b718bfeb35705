import { describe, expect, it } from "vitest";
import {
  findBottleneck,
  lastOnes,
  runTime,
  type Bottleneck,
  type PoolHistory,
  type PoolObservation,
} from "./bottleneck.js";

const look = (second: number, part: Partial<PoolObservation> = {}): PoolObservation => ({
  atMs: second * 1000,
  busy: 3,
  threads: 3,
  load: 0.99,
  queued: 100 + second * 20,
  queue: 1024,
  blocked: 0,
  doneRate: 420,
  ...part,
});
const seconds = (
  count: number,
  part: (second: number) => Partial<PoolObservation> = () => ({}),
): PoolObservation[] => Array.from({ length: count }, (_, second) => look(second, part(second)));
const models = {
  service: "ProduceAd",
  p50: 48_000,
  rate: 420,
  implementations: [
    { name: "ModelA", p50: 2900 },
    { name: "ModelC", p50: 148_000 },
    { name: "ModelB", p50: 3400 },
  ],
} as unknown as PoolHistory["services"][number];
const history = (observations: PoolObservation[], part: Partial<PoolHistory> = {}): PoolHistory => ({
  binary: "ads-server",
  pool: "models",
  observations,
  services: [models],
  exclusive: new Set(),
  cpuUsed: 0.1,
  cpus: 2,
  ...part,
});

describe("findBottleneck", () => {
  it("names a pool whose threads are all busy while its queue rises, with cause and remedy", () => {
    const found = findBottleneck(history(seconds(42)));
    expect(found).toMatchObject({ pool: "models", services: ["ProduceAd"], threads: 3, sinceMs: 41_000 });
    expect(found?.reason).toBe(
      "3 of 3 threads busy for 41 s, queue 90 % full. ModelC takes 148 ms; the others wait behind it.",
    );
    expect(found?.useThreads).toBe(6);
  });

  it("sizes the remedy by what arrives over what is done", () => {
    const found = findBottleneck(
      history(seconds(8, (second) => ({ threads: 10, busy: 10, queued: 20 + second * 20, doneRate: 100 }))),
    );
    // 100/s done and 20/s piling up: 10 x 1.2 x 1.15 = 13.8.
    expect(found?.useThreads).toBe(14);
  });

  it("is silent about a pool that is busy but keeps up", () => {
    expect(findBottleneck(history(seconds(20, () => ({ queued: 0 }))))).toBeNull();
    expect(findBottleneck(history(seconds(20, () => ({ queued: 4 }))))).toBeNull();
  });

  it("names a standing queue that deadlines keep from growing, and sizes by its length", () => {
    const found = findBottleneck(
      history(seconds(20, (second) => ({ threads: 12, busy: 12, queued: 59 + (second % 3), doneRate: 600 }))),
    );
    expect(found?.useThreads).toBe(36);
  });

  it("is silent about a pool with idle threads", () => {
    expect(findBottleneck(history(seconds(20, () => ({ load: 0.7 }))))).toBeNull();
  });

  it("waits for five seconds of evidence", () => {
    expect(findBottleneck(history(seconds(3)))).toBeNull();
    expect(findBottleneck(history([]))).toBeNull();
  });

  it("goes when the queue drains", () => {
    const drained = [
      ...seconds(20),
      ...Array.from({ length: 6 }, (_, i) => look(20 + i, { load: 0.6, queued: 0 })),
    ];
    expect(findBottleneck(history(drained))).toBeNull();
  });

  it("takes blocked callers for pressure however short the queue is", () => {
    expect(
      findBottleneck(history(seconds(20, () => ({ queued: 0, queue: 0, blocked: 2 }))))?.useThreads,
    ).toBe(6);
  });

  it("does not advise threads for services that run one at a time", () => {
    const found = findBottleneck(history(seconds(20), { exclusive: new Set(["ProduceAd"]) }));
    expect(found?.useThreads).toBeNull();
    expect(found?.advice).toContain("partition");
  });

  it("does not advise more threads than CPUs where the threads compute all the time", () => {
    const found = findBottleneck(history(seconds(20), { cpuUsed: 1.98, cpus: 2 }));
    expect(found?.useThreads).toBeNull();
    expect(found?.advice).toContain("2 CPUs");
  });
});

describe("the stages of a pool", () => {
  const stage = (id: string, p50: number, waits = false): PoolHistory["services"][number] => ({
    service: id.toUpperCase(),
    p50,
    rate: 100,
    implementations: [],
    stage: { flow: "F", id },
    waits,
  });

  it("are named by what they take of the threads, the wait behind the join not counted", () => {
    // 3 threads give 3 s a second: 100 events of 28 ms take 2.8 of it, so the first stage has 0.2.
    const services = [stage("first", 900_000, true), stage("slow", 28_000), stage("quick", 100)];
    const found = findBottleneck(history(seconds(20), { services }));
    expect(found?.services).toEqual(["SLOW"]);
    expect(found?.stages).toEqual([{ flow: "F", id: "slow" }]);
    expect(found?.reason).toContain("SLOW takes 28 ms an event.");
  });

  it("have no time of their own that is known, where nearly all of it is a wait", () => {
    // 2.5 s in a full queue for a query of 2 ms: the difference of two rounded times says nothing.
    expect(runTime(2_500_000, 2_500_000, true)).toEqual({ p50: 0, waits: true });
    expect(runTime(2_500_000, 2_420_000, true)).toEqual({ p50: 80_000, waits: true });
    expect(runTime(2_400, 300, true)).toEqual({ p50: 2_100, waits: false });
    expect(runTime(2_400, null, true)).toEqual({ p50: 2_400, waits: true });
    expect(runTime(4, null, false)).toEqual({ p50: 4, waits: false });
    const query = { ...stage("query", 0), ...runTime(2_500_000, 2_500_000, true) };
    const found = findBottleneck(history(seconds(20), { services: [query, stage("quick", 2.5)] }));
    expect(found?.stages).toEqual([{ flow: "F", id: "query" }]);
    expect(found?.reason).toContain("QUERY takes most of their time.");
  });

  it("are the first one, where the others leave the threads to it", () => {
    const services = [stage("first", 900_000, true), stage("quick", 100)];
    const found = findBottleneck(history(seconds(20), { services }));
    expect(found?.stages).toEqual([{ flow: "F", id: "first" }]);
    expect(found?.reason).toContain("FIRST takes most of their time.");
  });
});

describe("the bottleneck of a flow", () => {
  const full = (pool: string) => ({ pool }) as Bottleneck;
  const flow = (...stages: string[]) => ({ stages: stages.map((runsOn) => ({ runsOn })) });
  const named = (found: Bottleneck[]) => found.map(({ pool }) => pool);

  it("is the last stage whose queue and threads are full: what is before it waits for it", () => {
    expect(named(lastOnes([full("in"), full("db")], [flow("in", "in", "db", "out")]))).toEqual(["db"]);
  });

  it("is one for each flow, and a pool that no flow uses speaks for itself", () => {
    const flows = [flow("in", "db"), flow("other")];
    expect(named(lastOnes([full("other"), full("db"), full("called")], flows))).toEqual([
      "other",
      "db",
      "called",
    ]);
  });

  it("stays with a pool that is the last one of another flow", () => {
    expect(named(lastOnes([full("in"), full("db")], [flow("in", "db"), flow("in")]))).toEqual(["in", "db"]);
  });
});
