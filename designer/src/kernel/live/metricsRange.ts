/** A span of time that the charts show, and the resolution it is drawn at. */
export interface MetricsRange {
  seconds: number;
  /** In the words of its button. */
  name: string;
  /** Seconds a point stands for: those the server's past is kept at (`liveHistory.ts`), from end to end. */
  step: number;
  /** Ticks of the axis, in seconds before its end. */
  ticks: readonly number[];
}

const minutes = (...those: number[]): number[] => those.map((one) => one * 60);

export const METRICS_RANGES: readonly MetricsRange[] = [
  { seconds: 60, name: "1 min", step: 1, ticks: [60, 45, 30, 15, 0] },
  { seconds: 300, name: "5 min", step: 3, ticks: minutes(5, 4, 3, 2, 1, 0) },
  { seconds: 900, name: "15 min", step: 10, ticks: minutes(15, 10, 5, 0) },
];

/** A part of the past that somebody looks at more closely, seconds since the epoch. */
export interface Zoom {
  from: number;
  to: number;
}

/** Closer than this there is nothing more to see: figures are those of a second. */
export const LEAST_ZOOM_SECONDS = 5;

/** What is known of a shorter span is finer, so a zoom shows more and not the same larger. */
export const stepOf = (seconds: number): number =>
  METRICS_RANGES.find((range) => seconds <= range.seconds)?.step ?? METRICS_RANGES.at(-1)!.step;

/** Ticks of the axis in words: the first says the unit of the others. `-15 min`, `-10`, `-5`, `now`. */
export function tickWords({ seconds, ticks }: MetricsRange): string[] {
  const [unit, size] = seconds > 60 ? ["min", 60] : ["s", 1];
  return ticks.map((ago, index) =>
    ago === 0 ? "now" : index === 0 ? `-${ago / size} ${unit}` : `-${ago / size}`,
  );
}
