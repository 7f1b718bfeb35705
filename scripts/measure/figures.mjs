export function median(values) {
  if (values.length === 0) throw new Error("the median of nothing");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What is said of the values of all runs. */
export const spread = (values) => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  runs: values.length,
});

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** All of them in the same order, each round beginning with another one, so that drift meets all alike. */
export const inTurn = (all, round) => all.map((_, turn) => all[(round + turn) % all.length]);

/** Three digits, with a unit of size: 10.7 M, 22.8 k, 117. */
export function short(value) {
  const [size, letter] =
    value >= 999.5e6 ? [1e9, " G"] : value >= 999.5e3 ? [1e6, " M"] : value >= 9995 ? [1e3, " k"] : [1, ""];
  const scaled = value / size;
  const digits = letter === "" ? (value < 10 ? 2 : 0) : scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return `${scaled.toFixed(digits)}${letter}`;
}

/** A ratio as people say it: 0.83, 3.2, 14. */
export const ratio = (value) => value.toFixed(value >= 9.95 ? 0 : value >= 2 ? 1 : 2);

/** Two digits of a millisecond, one of a second. */
export const time = (seconds) =>
  seconds >= 1 ? `${seconds.toFixed(1)} s` : `${(seconds * 1000).toPrecision(seconds >= 0.1 ? 3 : 2)} ms`;
