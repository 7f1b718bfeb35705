import { expect, test } from "vitest";
import { LOAD_DEFAULTS, type LoadSettings } from "../contract/index.js";
import { Random, seedOf } from "../model/topology/testing/random.js";
import { BreakingPointDetector, type Measured } from "./breakingPoint.js";
import { rateIn } from "./steps.js";

const between = (random: Random, least: number, most: number): number =>
  least + random.below(most - least + 1);

interface Target {
  /** Events done a second at most. */
  capacity: (second: number) => number;
  /** How long an event takes when nothing is in its way, seconds. */
  latency: number;
  /** Events that wait at most; what comes on top is lost. */
  queue?: number;
  /** Share of events that fail whatever the load. */
  failing?: number;
  /** A full queue holds the source back: it makes fewer events and loses none. */
  holdsBack?: boolean;
}

/** What a target would show second by second: due events join a queue that is worked off at its capacity. */
function* behave(settings: LoadSettings, target: Target, noise: () => number): Generator<Measured> {
  let queue = 0;
  for (let second = 0; ; second++) {
    const due = rateIn(settings, second);
    const held = due * target.latency;
    const done = Math.min(queue + due, target.capacity(second));
    queue += due - done;
    const over = Math.max(0, queue - (target.queue ?? Infinity));
    queue -= over;
    const failed = done * (target.failing ?? 0);
    const ready = second === 0 ? done - held : done;
    yield {
      second,
      target: due,
      completed: Math.max(0, Math.round(ready - failed + noise())),
      failed: Math.round(failed) + (target.holdsBack ? 0 : Math.round(over)),
      skipped: target.holdsBack ? Math.round(over) : 0,
      waiting: Math.max(0, Math.round(queue + held + noise())),
    };
  }
}

/** Feeds a detector for at most `seconds`. */
function detect(
  settings: LoadSettings,
  target: Target,
  noise = () => 0,
  seconds = 4000,
): BreakingPointDetector {
  const detector = new BreakingPointDetector(settings);
  for (const measured of behave(settings, target, noise)) {
    if (measured.second >= seconds || detector.breakingPoint !== null) break;
    detector.take(measured);
  }
  return detector;
}

const settings: LoadSettings = { ...LOAD_DEFAULTS, start: 200 };
const steady = (capacity: number) => () => capacity;

test("should find concor's point: from 200 by ten, with room for 390", () => {
  const { breakingPoint } = detect(settings, { capacity: steady(395), latency: 0.02 });
  expect(breakingPoint).toMatchObject({ perSecond: 390, brokeAt: 400 });
  expect(breakingPoint?.second).toBeGreaterThanOrEqual(200);
  expect(breakingPoint?.second).toBeLessThan(210);
});

test("should find the last step that was held, to the step, for any capacity, latency, queue and noise", () => {
  const seed = seedOf(process.env["PENSTOCK_SEED"]);
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const start = between(random, 50, 2000);
    const one: LoadSettings = {
      ...LOAD_DEFAULTS,
      start,
      step: between(random, 1, 8) * Math.ceil(start / 200),
    };
    const steps = between(random, 2, 40);
    const capacity = start + one.step * (steps + between(random, 20, 80) / 100);
    const target: Target = {
      capacity: steady(capacity),
      latency: between(random, 0, 200) / 1000,
      ...(between(random, 0, 2) === 0 ? { queue: Math.ceil(capacity * 0.5) } : {}),
    };
    const jitter = capacity * 0.002;
    const found = detect(one, target, () => (between(random, 0, 200) / 100 - 1) * jitter).breakingPoint;
    const why = `PENSTOCK_SEED=${seed} ${JSON.stringify({ one, target, capacity })}`;
    const last = start + one.step * steps;
    expect(found, why).not.toBeNull();
    // A hair over the capacity for one short step is within the noise: the next one settles it.
    expect(found?.perSecond ?? 0, why).toBeGreaterThanOrEqual(last - one.step);
    expect(found?.perSecond ?? 0, why).toBeLessThanOrEqual(last + one.step);
  }
});

test("should see a small queue that holds the source back, though hardly anything waits", () => {
  const target = { capacity: steady(505), latency: 0.01, queue: 4, holdsBack: true };
  expect(detect({ ...settings, start: 450 }, target).breakingPoint).toMatchObject({ perSecond: 500 });
});

test("should see losses of less than the tolerance that never stop", () => {
  const target = { capacity: steady(505), latency: 0.01, queue: 4 };
  const { breakingPoint } = detect({ ...settings, start: 450 }, target);
  expect(breakingPoint).toMatchObject({ fault: "losses" });
  expect(breakingPoint?.perSecond).toBeGreaterThanOrEqual(500);
  expect(breakingPoint?.perSecond).toBeLessThanOrEqual(510);
});

test("should forgive a pause from which the target recovers in time, and not one that lasts", () => {
  const pause = (seconds: number) => (second: number) =>
    second >= 33 && second < 33 + seconds ? 0 : second >= 33 ? 4000 : 1000;
  const constant = { ...settings, step: 0 };
  expect(detect(constant, { capacity: pause(10), latency: 0.05 }, undefined, 200).breakingPoint).toBeNull();
  expect(
    detect(constant, { capacity: pause(16), latency: 0.05 }, undefined, 200).breakingPoint,
  ).toMatchObject({
    second: 33,
    fault: "throughput",
    brokeAt: 200,
  });
  const lossy = { capacity: pause(5), latency: 0.05, queue: 20 };
  expect(detect(constant, lossy, undefined, 200).breakingPoint).toBeNull();
});

test("should take a latency and a share of failures that are there from the beginning as usual", () => {
  const target = { capacity: steady(5000), latency: 0.9, failing: 0.03 };
  const detector = detect({ ...settings, start: 1000 }, target, undefined, 600);
  expect(detector.breakingPoint).toBeNull();
  expect(detector.heldPerSecond).toBe(1590);
});

test("should hold nothing when the first rate is too much already", () => {
  const { breakingPoint } = detect(settings, { capacity: steady(120), latency: 0.01 });
  expect(breakingPoint).toEqual({ perSecond: null, brokeAt: 200, second: 0, fault: "throughput" });
});

test("should wait as long for a recovery as it is told", () => {
  for (const recoveryS of [3, 15, 40]) {
    const detector = new BreakingPointDetector({ ...settings, recoveryS, step: 0 });
    let taken = 0;
    for (const measured of behave({ ...settings, step: 0 }, { capacity: steady(100), latency: 0 }, () => 0)) {
      if (detector.breakingPoint !== null) break;
      detector.take(measured);
      taken += 1;
    }
    expect(taken).toBe(recoveryS);
  }
});

test("should break where the target was gone", () => {
  const detector = detect(settings, { capacity: steady(900), latency: 0.01 }, undefined, 35);
  detector.takeEnd(35);
  expect(detector.breakingPoint).toEqual({ perSecond: 220, brokeAt: 230, second: 35, fault: "gone" });
});
