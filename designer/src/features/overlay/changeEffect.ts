import { formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";

/** One second of what a change is judged by. */
export interface Second {
  /** Seconds since the epoch. */
  at: number;
  rate: number;
  p50: number;
  p99: number;
}
type Figures = Omit<Second, "at">;

export interface ChangeEffect {
  before: Figures;
  after: Figures;
}

/** Seconds after a change that are not counted: figures are those of the last second, and queues drain first. */
const SETTLES = 3;
const LEAST = 5;
/** Of the seconds before, and after: what the system does now, not what it did long ago. */
const MOST = 30;

/** The middle one of those that are known; NaN when none is. One odd second is not what a change did. */
function median(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const middle = known.length >> 1;
  if (known.length === 0) return Number.NaN;
  return known.length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2;
}

const typical = (seconds: readonly Second[]): Figures => ({
  rate: median(seconds.map(({ rate }) => rate)),
  p50: median(seconds.map(({ p50 }) => p50)),
  p99: median(seconds.map(({ p99 }) => p99)),
});

/** What a change did, once enough is known since then; `from` is when the change before it was made. */
export function changeEffect(
  seconds: readonly Second[],
  changedAt: number,
  from = Number.NEGATIVE_INFINITY,
): ChangeEffect | null {
  const before = seconds.filter(
    ({ at }) => at <= changedAt && at >= Math.max(changedAt - MOST, from + SETTLES),
  );
  const after = seconds.filter(({ at }) => at >= changedAt + SETTLES).slice(-MOST);
  if (before.length === 0 || after.length < LEAST) return null;
  return { before: typical(before), after: typical(after) };
}

const step = (before: number, after: number, say: (value: number) => string): string =>
  say(before) === say(after) ? `${say(after)} as before` : `${say(before)} → ${say(after)}`;
const rate = (value: number): string => words(formatRate(value));
const time = (value: number): string => words(formatMicros(value));

/** `80/s → 598/s`, `p50 103 ms → 59 ms`, `p99 203 ms → 61 ms` */
export const effectWords = ({ before, after }: ChangeEffect): string[] => [
  step(before.rate, after.rate, rate),
  `p50 ${step(before.p50, after.p50, time)}`,
  `p99 ${step(before.p99, after.p99, time)}`,
];
