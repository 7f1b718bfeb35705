import type { LoadSettings } from "../contract/index.js";

type Steps = Pick<LoadSettings, "start" | "step" | "periodS" | "most" | "forS">;

const stepOf = ({ periodS }: Steps, second: number): number => Math.floor(second / periodS);

/** Events due in the `second`-th second (from 0): the whole of it has one rate. */
export function rateIn(settings: Steps, second: number): number {
  const rate = settings.start + stepOf(settings, second) * settings.step;
  return settings.most === null ? rate : Math.min(rate, settings.most);
}

/** True when no step begins with or goes on in this second: the load is over. */
export function isOver(settings: Steps, second: number): boolean {
  const { most, forS, periodS } = settings;
  if (forS !== null && second >= forS) return true;
  if (most === null || second < periodS) return false;
  // The step before has reached the last rate already (a constant load never gets nearer).
  return settings.step > 0 && rateIn(settings, (stepOf(settings, second) - 1) * periodS) >= most;
}

/** Seconds a load lasts when it does not break before; null when only a breaking point ends it. */
export function lengthOf(settings: Steps): number | null {
  const { start, step, periodS, most, forS } = settings;
  const bySteps =
    most === null || step === 0 ? null : (Math.max(0, Math.ceil((most - start) / step - 1e-9)) + 1) * periodS;
  if (bySteps === null) return forS;
  return forS === null ? bySteps : Math.min(bySteps, forS);
}

/**
 * The moments within a second, 0 to 1, at which its events are due: evenly spaced, and without a
 * seam to the second before. `before` is how many were due until now, fractions included.
 */
export function* dueWithin(before: number, rate: number): Generator<number> {
  if (rate <= 0) return;
  // A hair of rounding must not make an event due twice or never.
  for (let next = Math.ceil(before - 1e-9); next < before + rate - 1e-9; next++)
    yield Math.max(0, (next - before) / rate);
}

/** The rate of the last step that has been held to its end when all is well up to `second`; null for none. */
export function lastWholeStep(settings: Steps, second: number): number | null {
  const whole = stepOf(settings, second);
  return whole === 0 ? null : rateIn(settings, (whole - 1) * settings.periodS);
}
