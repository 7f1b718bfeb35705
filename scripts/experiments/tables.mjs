import { mean } from "../measure/figures.mjs";
import { APPLICATIONS, JOIN, MODES } from "./applications.mjs";

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Figures of one application in one mode: what experiment 1 says of it. */
function ofMode(rows, application, mode) {
  const own = rows.filter(
    (row) => row.experiment === 1 && row.application === application && row.mode === mode,
  );
  if (own.length === 0) return undefined;
  const all = (key) => own.map((row) => row[key]);
  return {
    mode,
    throughputs: all("throughput"),
    average: mean(all("throughput")),
    ...Object.fromEntries(["p50Ms", "p99Ms", "cpuUs"].map((key) => [key, mean(all(key))])),
    ...Object.fromEntries(["lost", "repeated"].map((key) => [key, sum(all(key))])),
  };
}

const deviation = (average, base) => ((average - base) / base) * 100;

/** Of each application: modes with their deviation from by hand, and the error margin, in per cent. */
export function overhead(rows) {
  return APPLICATIONS.flatMap((application) => {
    const modes = MODES.map((mode) => ofMode(rows, application.name, mode)).filter(Boolean);
    const base = modes.find(({ mode }) => mode === "by-hand");
    if (base === undefined) return [];
    const deviated = modes.map((one) => ({ ...one, deviation: deviation(one.average, base.average) }));
    const spread = Math.max(...base.throughputs) - Math.min(...base.throughputs);
    return [{ application, modes: deviated, margin: (spread / base.average) * 100 }];
  });
}

/** The same of concor's figures; its error margin is the step by which its load grew. */
export function concorOverhead({ concor }) {
  const base = mean(concor.byHand);
  return [concor.byHand, concor.off, concor.on].map((throughputs, index) => {
    const average = mean(throughputs);
    return {
      mode: MODES[index],
      throughputs,
      average,
      deviation: deviation(average, base),
      margin: (10 / base) * 100,
    };
  });
}

/** What experiment 2 says of each load: its rows, and p99 in the second of a change against steady. */
export function joins(rows) {
  return JOIN.loads.flatMap(({ load }) => {
    const own = rows.filter((row) => row.experiment === 2 && row.load === load);
    if (own.length === 0) return [];
    const ratios = own.map(({ p99Ms, steadyP99Ms }) => p99Ms / steadyP99Ms);
    // Both rows of a run say what the whole of it lost.
    const runs = own.filter(({ operation }) => operation === "add");
    const [lost, repeated] = ["lost", "repeated"].map((key) => sum(runs.map((row) => row[key])));
    return [{ load, rows: own, worst: Math.max(...ratios), lost, repeated }];
  });
}

/** What experiment 3 says of each mode: memory when it began, at the end of each part, and the most there was. MiB. */
export const memory = (rows) =>
  rows
    .filter(({ experiment }) => experiment === 3)
    .map(({ mode, rates, phaseSeconds, residentMiB, lost, repeated }) => ({
      mode,
      rates,
      phaseSeconds,
      residentMiB,
      begun: residentMiB[0],
      ends: rates.map((_, part) => residentMiB[(part + 1) * phaseSeconds]),
      most: Math.max(...residentMiB),
      lost,
      repeated,
    }));

export const percent = (value) => `${value >= 0.005 ? "+" : ""}${value.toFixed(2)} %`;

/** For the terminal. */
export function printedSummary(rows) {
  const lines = overhead(rows).flatMap(({ application, modes, margin }) => [
    `${application.name}  (margin ${margin.toFixed(2)} %)`,
    ...modes.map(
      ({ mode, average, deviation, p50Ms, p99Ms, cpuUs, lost, repeated }) =>
        `  ${mode.padEnd(13)} ${average.toFixed(1).padStart(8)}/s  ${percent(deviation).padStart(8)}` +
        `  p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms  cpu ${cpuUs.toFixed(0)} us  lost ${lost}  repeated ${repeated}`,
    ),
  ]);
  for (const { load, rows: own, worst, lost, repeated } of joins(rows)) {
    lines.push(
      `join at ${load}: p99 at most ${worst.toFixed(2)} times the steady one, lost ${lost}, repeated ${repeated}`,
    );
    for (const { attempt, operation, perSecond } of own)
      lines.push(`  ${attempt} ${operation.padEnd(6)} ${perSecond.join(" ")}`);
  }
  for (const { mode, begun, ends, most, lost, repeated } of memory(rows))
    lines.push(
      `memory ${mode.padEnd(13)} ${[begun, ...ends].map((value) => value.toFixed(1)).join(" -> ")} MiB, at most ${most.toFixed(1)}, lost ${lost}, repeated ${repeated}`,
    );
  return lines.join("\n");
}
