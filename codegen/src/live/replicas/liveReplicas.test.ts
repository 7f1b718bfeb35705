import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, test } from "vitest";
import type { LiveSample, LiveSchema } from "../../contract/index.js";
import { CommandRefused, type LiveConnection, type LiveEvents } from "../connectLive.js";
import { EMPTY_ROWS, EMPTY_SCHEMA } from "../testing/emptyFrames.js";
import { LiveReplicas } from "./liveReplicas.js";

const FLOWS: LiveSchema["flows"] = [
  { id: 0, name: "Ticks", source: { kind: "rate", perSecond: 200 }, stages: [] },
];
const SERVICES: LiveSchema["services"] = [
  { id: 0, name: "GetAd", kind: "simple", pool: 0, implementations: [], written: true },
];

/** A connection that says what it is told to, and remembers what it was asked. */
class Fake extends EventEmitter<LiveEvents> {
  schema: LiveSchema | null = null;
  lastFrameMs = 1;
  isLost = false;
  closed = false;
  refuses = "";
  params: unknown;
  readonly asked: string[] = [];
  constructor(private readonly pid: number) {
    super();
  }
  /** Its names, then a sample with so many requests done. */
  say(t: number, done: number, [p50, p90, p99, most, mean]: (number | null)[] = []): void {
    if (this.schema === null) {
      const schema: LiveSchema = {
        ...EMPTY_SCHEMA,
        pid: this.pid,
        startedAtMs: this.pid,
        runtime: String(this.pid),
        flows: FLOWS,
        services: SERVICES,
      };
      this.schema = schema;
      this.emit("schema", schema);
    }
    const services: LiveSample["services"] = [
      [0, done, 0, 0, 0, p50 ?? null, p90 ?? null, p99 ?? null, most ?? null, mean ?? null],
    ];
    const process = { cpuNs: 0, rssBytes: 0, threads: 0 };
    this.emit("sample", { ...EMPTY_ROWS, type: "sample", t, seq: 1, services, process });
  }
  lose(): void {
    this.isLost = true;
    this.emit("lost", { lastMs: this.lastFrameMs });
  }
  find(): void {
    this.isLost = false;
    this.emit("found");
  }
  command(method: string, params?: unknown): Promise<unknown> {
    this.asked.push(method);
    this.params = params;
    if (this.refuses !== "") return Promise.reject(new CommandRefused(this.refuses, 1));
    if (method === "source.set") return Promise.resolve({ asked: 50, actual: 50, took: 1 });
    return Promise.resolve(`of ${this.pid}`);
  }
  watch(): void {
    this.asked.push("watch");
  }
  close(): void {
    this.closed = true;
  }
}

let nowMs = 0;
let told: string[] = [];
const replicas = (count: number): LiveReplicas => {
  const live = new LiveReplicas(count, () => nowMs);
  live.on("schema", ({ pid, startedAtMs, runtime }) => {
    expect(startedAtMs).toBe(pid);
    told.push(`names of ${runtime} as ${pid}`);
  });
  live.on("sample", ({ t, services }) => told.push(`${services[0]?.[1]} at ${t}`));
  live.on("lost", () => told.push("lost"));
  live.on("found", () => told.push("found"));
  live.on("refused", () => told.push("refused"));
  return live;
};
const put = (live: LiveReplicas, replica: number, pid: number): Fake => {
  const fake = new Fake(pid);
  live.put(replica, fake as unknown as LiveConnection);
  return fake;
};
const saidNow = (): string[] => told.splice(0);

beforeEach(() => {
  nowMs = 0;
  told = [];
});

describe("the processes of a binary as one", () => {
  test("one process is told as it is, and so is the next one", () => {
    const live = replicas(1);
    put(live, 1, 71).say(1000, 5);
    expect(saidNow()).toEqual(["names of 71 as 71", "5 at 1000"]);
    live.take(1);
    expect(saidNow()).toEqual(["lost", "refused"]);
    expect(live).toMatchObject({ isOpen: false, schema: null, lastSample: null });
    put(live, 1, 72).say(10, 1);
    expect(saidNow()).toEqual(["names of 72 as 72", "1 at 10"]);
  });

  test("two are summed, in the time of one of them", () => {
    const live = replicas(2);
    const first = put(live, 1, 71);
    const second = put(live, 2, 72);
    second.say(900, 3);
    first.say(1000, 5);
    expect(saidNow()).toEqual(["names of 72 as 72", "3 at 900"]);
    second.say(1000, 4);
    expect(saidNow()).toEqual(["9 at 1000"]);
  });

  test("when the one that gives the names ends, another one does, and neither time nor counters go back", () => {
    const live = replicas(2);
    const first = put(live, 1, 71);
    first.say(50_000, 100);
    const second = put(live, 2, 72);
    second.say(700, 10);
    nowMs = 100;
    first.say(50_100, 105);
    expect(saidNow()).toEqual(["names of 71 as 71", "100 at 50000", "115 at 50100"]);
    nowMs = 300;
    live.take(1);
    expect(saidNow()).toEqual(["names of 72 as 71"]);
    second.say(1000, 12);
    expect(saidNow()).toEqual(["117 at 50300"]);
    nowMs = 400;
    put(live, 1, 73).say(20, 1);
    second.say(1100, 12);
    expect(saidNow()).toEqual(["118 at 50400"]);
  });

  test("a process that falls silent gives the names no more, and all of them have to for the binary to be lost", () => {
    const live = replicas(2);
    const first = put(live, 1, 71);
    const second = put(live, 2, 72);
    first.say(1000, 1);
    second.say(1000, 1);
    saidNow();
    first.lose();
    expect(saidNow()).toEqual(["names of 72 as 71"]);
    second.lose();
    expect(saidNow()).toEqual(["lost"]);
    expect(live.isLost).toBe(true);
    first.find();
    expect(saidNow()).toContain("found");
    second.find();
    expect(saidNow()).not.toContain("found");
  });

  test("what a process took in its last second is no figure while it is silent; what it has counted stays", () => {
    const live = replicas(2);
    const first = put(live, 1, 71);
    const second = put(live, 2, 72);
    first.say(1000, 10, [100, 100, 100, 100, 100]);
    second.say(1000, 10, [900, 900, 900, 900, 900]);
    first.say(1100, 10, [100, 100, 100, 100, 100]);
    const figures = (): unknown[] => live.lastSample?.services[0]?.slice(1) ?? [];
    expect(figures()).toEqual([20, 0, 0, 0, 900, 900, 900, 900, 900]);
    second.lose();
    first.say(1200, 10, [100, 100, 100, 100, 100]);
    expect(figures()).toEqual([20, 0, 0, 0, 100, 100, 100, 100, 100]);
  });

  test("nobody is there when none of them listens any more", () => {
    const live = replicas(2);
    const [one, other] = [put(live, 0, 10), put(live, 1, 20)];
    for (const each of [one, other]) each.say(100, 1);
    saidNow();
    one.emit("refused");
    one.emit("refused");
    expect(saidNow()).toEqual([]);
    // It is back.
    one.emit("schema", one.schema!);
    other.emit("refused");
    expect(saidNow()).not.toContain("refused");
    live.take(0);
    other.emit("refused");
    expect(saidNow()).toContain("refused");
  });

  test("nobody is there when the last one has ended, or all that are left listen no more", () => {
    const live = replicas(2);
    const [one] = [put(live, 0, 10), put(live, 1, 20)];
    live.take(1);
    // Another process in the place of one is no end.
    put(live, 0, 11);
    expect(saidNow()).not.toContain("refused");
    live.take(0);
    expect(saidNow()).toContain("refused");

    const [left] = [put(live, 0, 12), put(live, 1, 21)];
    left.emit("refused");
    expect(saidNow()).not.toContain("refused");
    live.take(1);
    expect(saidNow()).toContain("refused");
    expect(one.closed).toBe(true);
  });

  test("a change is made in all, a call asks one after the other", async () => {
    const live = replicas(2);
    const first = put(live, 1, 71);
    const second = put(live, 2, 72);
    await expect(live.command("pool.resize", {})).rejects.toThrow("cannot be reached");
    let all = false;
    const answer = live.allAnswer().then(() => (all = true));
    first.say(1000, 1);
    await Promise.resolve();
    expect(all).toBe(false);
    second.say(1000, 1);
    await answer;
    await expect(live.command("pool.resize", {})).resolves.toBe("of 71");
    expect([first.asked, second.asked]).toEqual([["pool.resize"], ["pool.resize"]]);
    await expect(live.command("service.call", {})).resolves.toBe("of 71");
    await expect(live.command("service.call", {})).resolves.toBe("of 72");
    await expect(live.command("service.call", {})).resolves.toBe("of 71");
  });

  test("what one refuses that others have done is said with its number; what the first refuses nobody is asked", async () => {
    const live = replicas(2);
    const first = put(live, 1, 71);
    const second = put(live, 2, 72);
    first.say(1000, 1);
    second.say(1000, 1);
    second.refuses = "no such CPU";
    await expect(live.command("pool.pin", {})).rejects.toThrow("process 2: no such CPU");
    first.refuses = "no such pool";
    second.asked.length = 0;
    await expect(live.command("pool.pin", {})).rejects.toThrow(/^no such pool$/);
    expect(second.asked).toEqual([]);
  });

  test("a source's rate is that of all together", async () => {
    const live = replicas(2);
    const all = [put(live, 1, 71), put(live, 2, 72)];
    for (const one of all) one.say(1000, 1);
    expect(live.schema?.flows[0]?.source.perSecond).toBe(400);
    const set = live.command("source.set", { flow: "Ticks", perSecond: 100 });
    await expect(set).resolves.toEqual({ asked: 100, actual: 100, took: 1 });
    expect(all.map(({ params }) => params)).toEqual([
      { flow: "Ticks", perSecond: 50 },
      { flow: "Ticks", perSecond: 50 },
    ]);
    await live.command("source.set", { flow: "Ticks", perSecond: 1_000_000_000 });
    expect(all[1]?.params).toEqual({ flow: "Ticks", perSecond: 1_000_000_000 });
  });

  test("one that joins counts from then on, and from the start when it is started anew; nothing has a step", () => {
    const live = replicas(1);
    put(live, 1, 71).say(1000, 500);
    expect(saidNow()).toEqual(["names of 71 as 71", "500 at 1000"]);
    live.expect(2);
    const joins = new Fake(72);
    live.put(65, joins as unknown as LiveConnection, "app@9901", true);
    joins.say(90_000, 1_000_000);
    const first = live.each()[0]?.[1] as unknown as Fake;
    first.say(1100, 510);
    joins.say(90_100, 1_000_007);
    first.say(1200, 520);
    expect(saidNow()).toEqual(["names of 71 as 71", "510 at 1100", "527 at 1200"]);
    joins.lose();
    first.say(1250, 520);
    joins.find();
    joins.say(90_300, 1_000_999);
    first.say(1260, 520);
    expect(saidNow()).toEqual(["527 at 1250", "527 at 1260"]);
    joins.schema = { ...joins.schema!, pid: 73, startedAtMs: 73 };
    joins.say(100, 3);
    first.say(1300, 520);
    joins.say(200, 5);
    first.say(1400, 520);
    expect(saidNow()).toEqual(["527 at 1300", "529 at 1400"]);
    live.take(65);
    live.expect(1);
    first.say(1500, 530);
    expect(saidNow()).toEqual(["names of 71 as 71", "539 at 1500"]);
  });

  test("is closed with all of them", () => {
    const live = replicas(2);
    const all = [put(live, 1, 71), put(live, 2, 72)];
    live.close();
    expect(all.map(({ closed }) => closed)).toEqual([true, true]);
    expect(live.isOpen).toBe(false);
  });
});
