import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { CommandRefused, type LiveEvents, UNREACHED } from "../live/index.js";
import { LOAD_DEFAULTS, type LiveSample, type LiveSchema, type LoadSettings } from "../contract/index.js";
import { LoadRefused } from "./driver.js";
import { FlowDriver, type FlowLive, type RateNotes } from "./flowDriver.js";
import { runLoad } from "./runLoad.js";

/** A binary with one flow that does `capacity` events a second; its clock runs as fast as samples are read. */
class FakeLive extends EventEmitter<LiveEvents> {
  schema: LiveSchema | null;
  lastSample: LiveSample | null = null;
  rates: number[] = [];
  isGone = false;
  isOpen = true;
  /** Told before each sample; what it gives back is done to the clock. */
  onTick: (t: number) => "go on" | "restart" | "stop" = () => "go on";
  private rate = 40;
  private t = 0;
  private emitted = 0;
  private completed = 0;
  private ticking = true;

  constructor(
    private readonly capacity: number,
    source: string = "rate",
    private readonly everyMs = 100,
  ) {
    super();
    const flows = [{ id: 3, name: "Ticks", source: { kind: source, perSecond: 40 }, stages: [] }];
    this.schema = { type: "schema", binary: "app", flows } as unknown as LiveSchema;
    this.tick();
  }

  command(method: string, params: unknown): Promise<unknown> {
    if (this.isGone) return Promise.reject(new CommandRefused("the connection was lost", UNREACHED));
    const { flow, perSecond } = params as { flow: string; perSecond: number };
    expect([method, flow]).toEqual(["source.set", "Ticks"]);
    if (perSecond > 1e6)
      return Promise.reject(new CommandRefused("out of range", -32602, { code: "PS420", help: "Less." }));
    this.rates.push(perSecond);
    this.rate = perSecond;
    return Promise.resolve({ asked: perSecond, actual: perSecond });
  }

  /** It is in two processes. */
  rateOfEach(perSecond: number): number {
    return perSecond / 2;
  }

  stop(): void {
    this.ticking = false;
  }

  private tick(): void {
    if (!this.ticking) return;
    const what = this.onTick(this.t);
    if (what === "restart") this.t = this.emitted = this.completed = 0;
    const seconds = this.everyMs / 1000;
    this.t += this.everyMs;
    this.emitted += this.rate * seconds;
    this.completed = Math.min(this.emitted, this.completed + this.capacity * seconds);
    const [emitted, completed] = [Math.round(this.emitted), Math.round(this.completed)];
    const sample = {
      t: this.t,
      pools: [
        [0, 2, 1, 1, 0],
        [1, 3, 1, 1, 0],
      ],
      flows: [[3, emitted, completed, 0, 0, emitted - completed, 10, 20, 30, 40]],
    } as unknown as LiveSample;
    if (what !== "stop") {
      this.lastSample = sample;
      this.emit("sample", sample);
    }
    setImmediate(() => this.tick());
  }
}

const settings: LoadSettings = { ...LOAD_DEFAULTS, start: 200, step: 50, periodS: 5 };
const target = { kind: "flow", binary: "app", flow: "Ticks" } as const;
const never = new AbortController().signal;
/** Its samples come as soon as this process has the time, however much later than five seconds. */
const driverOf = (live: FakeLive, flow = "Ticks"): FlowDriver =>
  new FlowDriver(live as unknown as FlowLive, flow, 1000);

for (const everyMs of [100, 1000])
  test(`should steer the source until the flow breaks, on samples every ${everyMs} ms, and give its rate back`, async () => {
    const live = new FakeLive(420, "rate", everyMs);
    const report = await runLoad({ target, settings, driver: driverOf(live), signal: never });
    live.stop();
    expect(report).toMatchObject({ outcome: "broke", heldPerSecond: 400, breakingPoint: { brokeAt: 450 } });
    expect(live.rates.slice(0, 6)).toEqual([200, 250, 300, 350, 400, 450]);
    expect(live.rates.at(-1)).toBe(40);
    expect(report.seconds[7]).toMatchObject({
      second: 7,
      target: 250,
      sent: 250,
      completed: 250,
      failed: 0,
      waiting: 0,
      queued: 5,
      p50Us: 10,
      p99Us: 30,
      held: true,
    });
    expect(report.seconds.every(({ completed }) => completed <= 425)).toBe(true);
    const sum = (of: "sent" | "completed"): number =>
      report.seconds.reduce((all, second) => all + second[of], 0);
    // Percentiles of seconds make none of the whole.
    expect(report.whole).toMatchObject({ failed: 0, minUs: null, p50Us: null, p95Us: null, maxUs: 40 });
    expect(report.whole?.sent).toBeCloseTo(sum("sent"), 0);
    expect(report.whole?.completed).toBeCloseTo(sum("completed"), 0);
  });

test("should count no time before the first rate is in force, and none after the last second", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const live = new FakeLive(1000);
    const abort = new AbortController();
    // The rate is in force after 300 ms, and a second takes as long as 1,100 ms here.
    vi.spyOn(live, "command").mockImplementationOnce((_, params) => {
      vi.advanceTimersByTime(300);
      live.rates.push((params as { perSecond: number }).perSecond);
      return Promise.resolve({});
    });
    live.onTick = () => (vi.advanceTimersByTime(110), "go on");
    const { whole, seconds } = await runLoad({
      target,
      settings: { ...settings, step: 0, forS: 3 },
      driver: driverOf(live),
      signal: abort.signal,
    });
    live.stop();
    expect([whole?.tookMs, seconds.length]).toEqual([3000, 3]);
  } finally {
    vi.useRealTimers();
  }
});

test("should steer a project's own source that has a rate, and give that back", async () => {
  const live = new FakeLive(220, "market-ticker");
  const report = await runLoad({ target, settings, driver: driverOf(live), signal: never });
  live.stop();
  expect(report).toMatchObject({ outcome: "broke", heldPerSecond: 200 });
  expect(live.rates.at(-1)).toBe(40);
});

test("should say that a binary which was started anew is gone", async () => {
  const live = new FakeLive(1000);
  live.onTick = (t) => (t === 7000 ? "restart" : "go on");
  const report = await runLoad({ target, settings, driver: driverOf(live), signal: never });
  live.stop();
  expect(report).toMatchObject({ outcome: "failed", breakingPoint: { perSecond: 200, fault: "gone" } });
  expect(report.seconds).toHaveLength(6);
});

test("should say that a binary is gone as soon as nobody listens at its address", async () => {
  const live = new FakeLive(1000);
  live.onTick = (t) => {
    if (t < 7000) return "go on";
    // Again and again, as who connects anew finds out.
    live.emit("refused");
    return "stop";
  };
  // For the rest of the day, if nothing tells it.
  const driver = new FlowDriver(live as unknown as FlowLive, "Ticks", 10_000);
  const report = await runLoad({ target, settings, driver, signal: never });
  live.stop();
  expect(report).toMatchObject({ outcome: "failed", breakingPoint: { perSecond: 200, fault: "gone" } });
});

for (const crashes of [false, true])
  test(`should ${crashes ? "leave" : "take away"} the note of the rate that was found when the binary ${crashes ? "is gone" : "has it back"}`, async () => {
    const live = new FakeLive(1000);
    live.onTick = (t) => {
      if (!crashes || t < 3000) return "go on";
      live.isGone = true;
      live.emit("refused");
      return "stop";
    };
    const told: string[] = [];
    const notes: RateNotes = {
      note: async (flow, perSecond) => void told.push(`${flow} ${perSecond}, ${live.rates.length} set`),
      forget: async (flow) => void told.push(`none of ${flow}, ${live.rates.length} set`),
    };
    const driver = new FlowDriver(live as unknown as FlowLive, "Ticks", 1000, notes);
    await runLoad({ target, settings: { ...settings, forS: 6 }, driver, signal: never });
    live.stop();
    // Before any rate of the load is in force, and again with the next one.
    const noted = ["Ticks 20, 0 set", "Ticks 20, 1 set"];
    expect(told).toEqual(crashes ? noted.slice(0, 1) : [...noted, "none of Ticks, 3 set"]);
  });

/** One second of a load, at whose end its binary falls silent. */
async function loadedUntilSilent(live: FakeLive, onGivenBack?: () => void): Promise<FlowDriver> {
  const driver = new FlowDriver(live as unknown as FlowLive, "Ticks", 1, undefined, onGivenBack);
  await driver.begin();
  await driver.second(450);
  live.stop();
  live.isGone = true;
  return driver;
}

test("should give the rate back to a binary that is silent at the end as soon as it answers", async () => {
  const live = new FakeLive(1000);
  const driver = await loadedUntilSilent(live);
  const ended = driver.end();
  // Its process is not gone for it: only who finds nobody at its address knows that.
  live.emit("schema", live.schema!);
  await new Promise((resolve) => setImmediate(resolve));
  live.isGone = false;
  live.emit("found");
  await ended;
  expect([live.rates, driver.left()]).toEqual([[450, 40], []]);
});

test("should say that a silent binary still runs at the load's rate, and give its own back later all the same", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const live = new FakeLive(1000);
    const told: string[] = [];
    const driver = await loadedUntilSilent(live, () => told.push("given back"));
    const ended = driver.end();
    await vi.advanceTimersByTimeAsync(5_000);
    await ended;
    expect(driver.left()).toMatchObject([
      { code: "PS871", message: "Ticks still runs at 450/s, not at 40/s as before" },
    ]);
    live.isGone = false;
    live.emit("found");
    await vi.waitFor(() => expect(told).toEqual(["given back"]));
    expect([live.rates, driver.left()]).toEqual([[450, 40], []]);
  } finally {
    vi.useRealTimers();
  }
});

test("should say nothing about the rate of a binary whose processes have all ended", async () => {
  const live = new FakeLive(1000);
  const driver = await loadedUntilSilent(live);
  // Of several processes the names stay known.
  live.isOpen = false;
  await driver.end();
  expect([live.rates, driver.left()]).toEqual([[450], []]);
});

test("should set no rate in a process that was started anew while its predecessor was silent", async () => {
  const live = new FakeLive(1000);
  const driver = await loadedUntilSilent(live);
  const ended = driver.end();
  await new Promise((resolve) => setImmediate(resolve));
  live.isGone = false;
  live.schema = { ...live.schema!, startedAtMs: 2 };
  live.emit("schema", live.schema);
  await ended;
  expect([live.rates, driver.left()]).toEqual([[450], []]);
});

test("should set no rate any more when it is interrupted while it notes what it found", async () => {
  const live = new FakeLive(1000);
  const abort = new AbortController();
  const told: string[] = [];
  const notes: RateNotes = {
    note: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      abort.abort();
      await new Promise((resolve) => setImmediate(resolve));
      told.push("noted");
    },
    forget: async () => void told.push("forgotten"),
  };
  const driver = new FlowDriver(live as unknown as FlowLive, "Ticks", 1000, notes);
  await runLoad({ target, settings, driver, signal: abort.signal });
  live.stop();
  expect([live.rates, told]).toEqual([[40], ["noted", "forgotten"]]);
});

test("should end at once when it is interrupted, with what was measured and the rate that was found", async () => {
  const live = new FakeLive(1000);
  const abort = new AbortController();
  live.onTick = (t) => {
    if (t < 3000) return "go on";
    abort.abort();
    return "stop";
  };
  const report = await runLoad({ target, settings, driver: driverOf(live), signal: abort.signal });
  live.stop();
  expect(report.outcome).toBe("interrupted");
  expect(report.seconds.length).toBeGreaterThanOrEqual(2);
  expect(live.rates.at(-1)).toBe(40);
});

test("should refuse a flow that has no rate to steer, and name the flows that have", async () => {
  const refusal = async (live: FakeLive, flow: string): Promise<unknown> => {
    const driver = driverOf(live, flow);
    const error = await runLoad({ target, settings, driver, signal: never }).catch((one: unknown) => one);
    live.stop();
    return error;
  };
  const none = await refusal(new FakeLive(1), "Tocks");
  expect(none).toBeInstanceOf(LoadRefused);
  expect(none).toMatchObject({ code: "PS884", kind: "usage", help: "Flows whose source has a rate: Ticks." });
  expect(await refusal(new FakeLive(1, "http"), "Ticks")).toMatchObject({
    message: "the source of Ticks makes no events at a rate",
  });
});

test("should pass on what the binary says against the first rate", async () => {
  const live = new FakeLive(1);
  const run = runLoad({
    target,
    settings: { ...settings, start: 1e7 },
    driver: driverOf(live),
    signal: never,
  });
  await expect(run).rejects.toMatchObject({ code: "PS420", kind: "refused", message: "out of range" });
  live.stop();
});

test("should wait for a silent binary as long as it was told to, and call it gone then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const live = new FakeLive(1);
    live.stop();
    const driver = new FlowDriver(live as unknown as FlowLive, "Ticks", 3);
    let over = false;
    const run = runLoad({ target, settings, driver, signal: never }).finally(() => (over = true));
    await vi.advanceTimersByTimeAsync(14_999);
    expect(over).toBe(false);
    live.emit("sample", live.lastSample!);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await run).toMatchObject({ outcome: "failed", breakingPoint: { fault: "gone" } });
  } finally {
    vi.useRealTimers();
  }
});
