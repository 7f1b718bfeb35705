const STEPS = [1, 2, 4, 6, 8, 10];

/** The next round number above `max` whose half is round too: the top of a chart. */
export function niceTop(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  for (const step of STEPS) if (step * power >= max * 1.08) return step * power;
  return 20 * power;
}

/** Keeps the last top until the values need more or much less, so that the scale does not twitch. */
export const steadyTop = (last: number, max: number): number => {
  const next = niceTop(max);
  return next > last || next < last * 0.5 ? next : last;
};
