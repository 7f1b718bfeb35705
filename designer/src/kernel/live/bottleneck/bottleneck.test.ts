import { describe, expect, it } from "vitest";
import { findBottleneck, lastOnes, type Bottleneck, type PoolHistory } from "./bottleneck.js";
import { threadsHeld, type PoolObservation, type PoolWork } from "./poolWork.js";

const look = (second: number, part: Partial<PoolObservation> = {}): PoolObservation => ({
  atMs: second * 1000,
  busy: 3,
  threads: 3,
  load: 0.99,
  queued: 100,
  queue: 1024,
  blocked: 0,
  arrivals: 600,
  offered: 34.8,
  ...part,
});
const seconds = (
  count: number,
  part: (second: number) => Partial<PoolObservation> = () => ({}),
): PoolObservation[] => Array.from({ length: count }, (_, second) => look(second, part(second)));
const models: PoolWork = {
  service: "ProduceAd",
  served: 80,
  unserved: 520,
  runMicros: 58_000,
  askedMicros: 58_000,
  waitMicros: null,
  implementations: [
    { name: "ModelA", runMicros: 2900 },
    { name: "ModelC", runMicros: 148_000 },
    { name: "ModelB", runMicros: 3400 },
  ],
};
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
  it("names a pool whose threads are all busy while its queue stands, with cause, remedy and how it was come by", () => {
    const found = findBottleneck(history(seconds(42, () => ({ queued: 924 }))));
    expect(found).toMatchObject({ pool: "models", services: ["ProduceAd"], threads: 3, sinceMs: 41_000 });
    expect(found?.reason).toBe(
      "3 of 3 threads busy for 41 s, queue 90 % full. ModelC runs 148 ms on average; the others wait behind it.",
    );
    // 600/s come though 80/s are served: what expires in the queue has arrived as well.
    expect(found?.useThreads).toBe(41);
    expect(found?.how).toBe("600/s × 58 ms (mean of all) = 35 busy on average, + 6 margin.");
  });

  it("of a pool with as many threads as its bounds allow is other bounds", () => {
    const full = seconds(42, () => ({ queued: 924 }));
    const found = findBottleneck(history(full, { bounds: { from: 2, to: 3 } }));
    expect(found).toMatchObject({
      useThreads: 41,
      bounds: { from: 2, to: 3 },
      advice: "It has the most threads that its bounds allow (2 to 3).",
    });
    const room = findBottleneck(history(full, { bounds: { from: 2, to: 8 } }));
    expect(room).toMatchObject({ useThreads: 41, advice: "" });
    expect(room?.bounds).toBeUndefined();
    const exclusive = new Set(["ProduceAd"]);
    const alone = findBottleneck(history(full, { bounds: { from: 2, to: 3 }, exclusive }));
    expect(alone?.useThreads).toBeNull();
    expect(alone?.advice).toMatch(
      /^It has the most threads that its bounds allow \(2 to 3\)\. Single-threaded/,
    );
  });

  it("says of a binary that runs several times that its figures are those of each process", () => {
    const found = findBottleneck(
      history(
        seconds(42, () => ({ queued: 31.5, busy: 3 })),
        { processes: 2 },
      ),
    );
    expect(found?.reason).toContain(
      "3 of 3 threads busy for 41 s, 32 requests waiting in each of 2 processes. ",
    );
    expect(found?.how).toMatch(/^Each process: 600\/s × 58 ms/);
  });

  it("says the same figure of what runs alone there and in the sum, the mean of the same half minute", () => {
    const alone = { ...models, runMicros: 3400, askedMicros: 3400, implementations: [] };
    const looks = seconds(20, () => ({ queued: 924, arrivals: 600, offered: 5.88 }));
    const found = findBottleneck(history(looks, { services: [alone] }));
    expect(found?.reason).toContain("ProduceAd runs 9.8 ms a request on average.");
    expect(found?.how).toContain("600/s × 9.8 ms = ");
  });

  it("calls a median a median where the binary tells no mean", () => {
    const old = { ...models, implementations: [], median: true };
    const found = findBottleneck(history(seconds(20), { services: [old] }));
    expect(found?.reason).toContain("ProduceAd runs 58 ms a request (median).");
  });

  it("counts what piles up in the queue as arrived", () => {
    const rising = seconds(8, (second) => ({
      threads: 10,
      queued: 40 + second * 20,
      arrivals: 100,
      offered: 10,
    }));
    const found = findBottleneck(history(rising));
    expect(found?.how).toBe("120/s × 100 ms (mean of all) = 12 busy on average, + 4 margin.");
    expect(found?.useThreads).toBe(16);
  });

  it("is silent about a pool that is busy but keeps up", () => {
    expect(findBottleneck(history(seconds(20, () => ({ queued: 0 }))))).toBeNull();
    expect(findBottleneck(history(seconds(20, () => ({ queued: 4 }))))).toBeNull();
  });

  it("names a standing queue that deadlines keep from growing", () => {
    const standing = seconds(20, (second) => ({ threads: 12, busy: 12, queued: 59 + (second % 3) }));
    expect(findBottleneck(history(standing))?.useThreads).toBe(41);
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

  it("takes blocked callers for pressure however short the queue is, and doubles: more may come than is seen", () => {
    const held = seconds(20, () => ({ queued: 0, queue: 0, blocked: 2, arrivals: 50, offered: 2.9 }));
    expect(findBottleneck(history(held))?.useThreads).toBe(6);
  });

  it("offers more than are busy, also while a pool that was made smaller waits for what runs", () => {
    const shrunk = seconds(20, () => ({ threads: 20, busy: 27, offered: 17, arrivals: 100 }));
    const found = findBottleneck(history(shrunk));
    expect(found?.reason).toContain("27 of 27 threads busy");
    expect(found?.useThreads).toBe(28);
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

describe("a change of the pool", () => {
  const resized = (after: number): PoolObservation[] => [
    ...seconds(50, () => ({ queued: 900 })),
    ...Array.from({ length: after }, (_, index) =>
      look(50 + index, { threads: 6, busy: 6, queued: 900 - index }),
    ),
  ];

  it("makes what was before it count for nothing: neither how long, nor that it is one", () => {
    expect(findBottleneck(history(resized(3)))).toBeNull();
    expect(findBottleneck(history(resized(8)))?.reason).toContain("6 of 6 threads busy for 7 s");
  });

  it("is any change of its binary, of a rate as of threads", () => {
    const all = seconds(50, () => ({ queued: 900 }));
    expect(findBottleneck(history(all, { changedAtMs: 47_500 }))).toBeNull();
    expect(findBottleneck(history(all, { changedAtMs: 39_500 }))?.sinceMs).toBe(9000);
  });

  it("leaves its number of threads to what arrived since", () => {
    const quieter = [
      ...seconds(30, () => ({ queued: 900, arrivals: 6000, offered: 348 })),
      ...Array.from({ length: 8 }, (_, index) => look(30 + index, { queued: 900 })),
    ];
    expect(findBottleneck(history(quieter, { changedAtMs: 29_500 }))?.useThreads).toBe(41);
  });
});

describe("the stages of a pool", () => {
  const stage = (id: string, runMicros: number | null): PoolWork => ({
    service: id.toUpperCase(),
    served: 100,
    unserved: 0,
    runMicros,
    askedMicros: runMicros,
    waitMicros: null,
    implementations: [],
    stage: { flow: "F", id },
  });

  it("are named by what they take of the threads", () => {
    // 3 threads give 3 s a second: 100 events of 28 ms take 2.8 of it, so the first stage has 0.2.
    const services = [stage("first", null), stage("slow", 28_000), stage("quick", 100)];
    const found = findBottleneck(history(seconds(20), { services }));
    expect(found?.services).toEqual(["SLOW"]);
    expect(found?.stages).toEqual([{ flow: "F", id: "slow" }]);
    expect(found?.reason).toContain("SLOW runs 28 ms an event on average.");
  });

  it("are the one of which nothing is known, where the others leave the threads to it", () => {
    const services = [stage("first", null), stage("quick", 100)];
    const found = findBottleneck(history(seconds(20), { services }));
    expect(found?.stages).toEqual([{ flow: "F", id: "first" }]);
    expect(found?.reason).toContain("FIRST takes most of their time.");
  });

  it("keep a thread each as long as they run; who awaits has what the others leave, by how many there are", () => {
    const [first, other] = [stage("first", null), { ...stage("other", null), served: 300 }];
    expect(threadsHeld([stage("slow", 20_000), first, other], 6)).toEqual([2, 1, 3]);
    expect(threadsHeld([first], 0.5)).toEqual([0.5]);
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
