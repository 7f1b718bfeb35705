import type { LoadReport, LoadSettings, LoadTarget } from "../contract/index.js";
import { BreakingPointDetector } from "./breakingPoint.js";
import type { LoadDriver } from "./driver.js";
import { isOver, lengthOf, rateIn } from "./steps.js";

export interface LoadRun {
  target: LoadTarget;
  settings: LoadSettings;
  driver: LoadDriver;
  signal: AbortSignal;
  /** Told at the beginning and after every second; the object is a new one each time. */
  onReport?: (report: LoadReport) => void;
}

/** Steps of seconds are drawn as they come; no more than a day of them is kept. */
const MOST_SECONDS = 86_400;

/**
 * Puts a load on a target, step by step, until it breaks, is over or is interrupted. What was measured
 * until then is in the report whatever the end. Throws LoadRefused when it could not begin.
 */
export async function runLoad({ target, settings, driver, signal, onReport }: LoadRun): Promise<LoadReport> {
  const detector = new BreakingPointDetector(settings);
  const seconds: LoadReport["seconds"] = [];
  const startedAtMs = Date.now();
  const reportNow = (outcome: LoadReport["outcome"]): LoadReport => ({
    version: 1,
    target,
    settings,
    startedAtMs,
    lengthS: lengthOf(settings),
    outcome,
    heldPerSecond: detector.heldPerSecond,
    breakingPoint: detector.breakingPoint,
    seconds: [...seconds],
    whole: driver.whole(),
    failures: driver.failures(),
  });
  /** A last word: what was sent by then is waited for. */
  const reportDrained = async (outcome: "ended" | "broke"): Promise<LoadReport> => {
    await driver.drain();
    return reportNow(signal.aborted ? "interrupted" : outcome);
  };
  const stop = (): void => void driver.end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return reportNow("interrupted");
    await driver.begin();
    // Until the end is known, a report that is read (a page that was closed) is one that was cut short.
    onReport?.(reportNow("interrupted"));
    for (let second = 0; second < MOST_SECONDS; second++) {
      if (signal.aborted) return reportNow("interrupted");
      if (isOver(settings, second)) return await reportDrained("ended");
      const driven = await driver.second(rateIn(settings, second));
      if (signal.aborted) return reportNow("interrupted");
      if (driven === null) {
        detector.takeEnd(second);
        return reportNow("failed");
      }
      const { skipped, ...figures } = driven;
      const held = detector.take({ ...figures, second, skipped });
      seconds.push({ second, ...figures, held });
      onReport?.(reportNow("interrupted"));
      if (detector.breakingPoint !== null) return await reportDrained("broke");
    }
    return await reportDrained("ended");
  } finally {
    signal.removeEventListener("abort", stop);
    await driver.end();
  }
}
