import os from "node:os";
import path from "node:path";
import { chart, lineChart } from "../measure/chart.mjs";
import { spread } from "../measure/figures.mjs";
import { describeCompiler, describeMachine } from "../measure/machine.mjs";
import { page, table } from "../measure/tables.mjs";
import { JOIN, MEMORY, TIMES } from "./applications.mjs";
import { concorOverhead, joins, memory, overhead, percent } from "./tables.mjs";

const NAMES = {
  "by-hand": "by hand",
  "sampling-off": "Penstock, sampling off",
  "sampling-on": "Penstock, sampling on",
};
const GOALS = { "sampling-off": 0.5, "sampling-on": 1 };
const P99_GOAL = 1.5;
/** Above this load average before it begins a run is rough: more than what its own builds leave behind. */
const MOST_LOAD = 1.5;

/** Blocks of the chart: an application each, a bar a mode. */
const chartBlocks = (rows) =>
  overhead(rows).map(({ application, modes }) => ({
    name: application.name,
    unit: "events/s",
    results: modes.map(({ mode, average, throughputs }) => ({
      contender: mode === "by-hand" ? NAMES[mode] : NAMES[mode].replace("Penstock, ", "penstock, "),
      ...spread(throughputs),
      median: average,
    })),
  }));

function goalOf(mode, deviation) {
  const most = GOALS[mode];
  if (most === undefined) return "";
  return `${-deviation <= most ? "✅" : "❌"} at most ${most} % less`;
}

function overheadSection({ application, modes, margin }) {
  const ours = modes.map(({ mode, throughputs, average, deviation, p50Ms, p99Ms, cpuUs, lost, repeated }) => [
    NAMES[mode],
    ...throughputs.map((value) => value.toFixed(1)),
    `**${average.toFixed(1)}**`,
    mode === "by-hand" ? "" : percent(deviation),
    goalOf(mode, deviation),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    cpuUs.toFixed(0),
    String(lost),
    String(repeated),
  ]);
  const attempts = modes[0].throughputs.map((_, index) => `attempt ${index + 1}`);
  const concor = concorOverhead(application);
  return [
    `### ${application.name}`,
    table(
      1,
      ["", ...attempts, "average", "deviation", "goal", "p50 ms", "p99 ms", "CPU µs", "lost", "repeated"],
      ours,
    ),
    `Error margin: ${margin.toFixed(2)} % (what lies between the quickest and the slowest attempt by hand).`,
    `concor, ${application.concor.title} (breaking point in steps of 10 a second, error margin ${concor[0].margin.toFixed(2)} %):`,
    table(
      1,
      ["", "attempt 1", "attempt 2", "attempt 3", "average", "deviation"],
      concor.map(({ mode, throughputs, average, deviation }) => [
        NAMES[mode].replace("Penstock", "concor"),
        ...throughputs.map(String),
        average.toFixed(2),
        mode === "by-hand" ? "" : percent(deviation),
      ]),
    ),
  ];
}

const secondsOf = ([{ perSecond }]) => perSecond.map((_, second) => (second === 0 ? "t" : `t + ${second} s`));
const changeCells = ({ attempt, operation, perSecond }) => [
  `attempt ${attempt}`,
  operation,
  ...perSecond.map(String),
];

const joinTable = (rows) =>
  table(
    2,
    ["", "operation", ...secondsOf(rows), "p99 at t, ms", "steady, ms"],
    rows.map((one) => [...changeCells(one), one.p99Ms.toFixed(2), one.steadyP99Ms.toFixed(2)]),
  );

function joinSection({ load, rows, worst, lost, repeated }) {
  return [
    `### At ${load === "1000" ? "1,000" : `${load} of the limit, ${JOIN.loads[1].perSecond}`} events a second`,
    joinTable(rows),
    `p99 in the second of a change is at most ${worst.toFixed(2)} times the steady one (goal: ${worst <= P99_GOAL ? "✅" : "❌"} at most ${P99_GOAL}). Lost: ${lost}, repeated: ${repeated}.`,
  ];
}

const MEMORY_CHART = "Memory over time, by hand and with Penstock";

function memoryChart(rows) {
  const measured = memory(rows);
  const [{ rates, phaseSeconds }] = measured;
  return lineChart(MEMORY_CHART, {
    unit: "MiB in hand (VmRSS)",
    lines: measured.map(({ mode, residentMiB }) => ({
      name: NAMES[mode],
      side: mode === "by-hand" ? "peer" : "ours",
      values: residentMiB,
    })),
    marks: rates.map((rate, part) => ({ at: part * phaseSeconds, name: `${rate} events/s` })),
  });
}

/** Nothing of a run that was kept before there was this experiment. */
function memorySection(rows) {
  const measured = memory(rows);
  if (measured.length === 0) return [];
  const [{ rates, phaseSeconds }] = measured;
  return [
    "## Experiment 3: memory over time",
    `${MEMORY.application} at half of its limit, at ${MEMORY.overload} times the limit, and at half again, ${phaseSeconds} seconds each. By hand what comes beyond the limit waits in queues without a bound; in Penstock a full queue holds the source back.`,
    `![${MEMORY_CHART}](images/experiments/memory.svg)`,
    table(
      1,
      ["MiB", "begun", ...rates.map((rate) => `after ${rate}/s`), "at most", "lost", "repeated"],
      measured.map(({ mode, begun, ends, most, lost, repeated }) => [
        NAMES[mode],
        ...[begun, ...ends, most].map((value) => value.toFixed(1)),
        String(lost),
        String(repeated),
      ]),
    ),
  ];
}

/** One sentence of where figures come from; the compiler as the runtime was built. */
function compilerAndMachine(root) {
  const { cpu, cores } = describeMachine();
  const { compiler } = describeCompiler(path.join(root, "build", "runtime", "release"));
  return `Machine: ${cpu}, ${cores} processors, Linux ${os.release()}, ${compiler}`;
}

/** docs/experiments.md of a run of everything, as it was kept. */
function experimentsPage(root, kept) {
  const { rows, date, load, windows, seconds } = kept;
  const others = Number(load.before.split(" ")[0]);
  const rough = `> **These figures are rough.** ${others} programs wanted to run at once before the measuring began (load average).`;
  return page([
    "# Experiments",
    "Made by `npm run experiments`, which builds the [sample applications](../examples), measures, and draws this page; no number here is typed by hand but concor's, which stand beside ours for comparison. They are from another machine, another language and another decade: what can be compared are deviations.",
    `${compilerAndMachine(root)}. ${date.slice(0, 16).replace("T", " ")} UTC, ${Math.round(seconds / 60)} minutes of measuring, load average before ${load.before}, after ${load.after} (the measuring included).`,
    ...(others < MOST_LOAD ? [] : [rough]),
    "## Experiment 1: what the framework costs",
    `concor 5.2.1: an application without the framework, with it, and with it and its sampling, three attempts each, in turn, each in a process of its own. concor raised the load by 10 events a second every 10 seconds until the application no longer recovered and took the last rate that it held. Here the load is raised at once to a tenth more than the threads that wait can do (threads divided by what they wait for), and the throughput is what ends a second while they all are busy, over ${windows.limit} seconds, read to a fraction of an event: the same limit without the steps. It is a limit of waiting, as concor's were, so the deviation says what a framework takes from an application of this kind. Waits are ${TIMES} times those that the examples are drawn with, and so are the threads that wait: the limit is the same, and what a busy machine adds to a wait weighs less. Processor time of an event at the limit (CPU, all threads, the built-in responder and database included) says what waiting hides; what a hop costs in nanoseconds is in [performance.md](performance.md).`,
    `By hand (\`examples/*/by-hand/main.cpp\`) the same handlers run on the same number of threads, with queues of a mutex and two condition variables. Sampling on is 3 events in 128, and somebody reads the live figures ten times a second, as the canvas does. Latency (p50, p99) is taken at half of the limit, over ${(windows.half * 0.75).toFixed(1)} seconds. Everything is read from the transaction log, which the same handler writes in all three: numbered events, when each came and how long it took. Deadlines are taken out of the configuration, since beyond the limit events queue up for as long as that lasts.`,
    `![${CHART}](images/experiments/overhead.svg)`,
    ...overhead(rows).flatMap(overheadSection),
    "## Experiment 2: a join put in and taken out",
    `concor 5.2.2: under a constant load a pool like the one that serves a stage anyway is put before it, and taken out again. Here it is stage \`${JOIN.stage}\` of ${JOIN.application}, with ${JOIN.threads} threads of its own; events that ended in each second from the change on (a source that keeps its time makes up for what comes late).`,
    ...joins(rows).flatMap(joinSection),
    "concor's Table 5-8, at 1,000 events a second:",
    table(2, ["", "operation", ...secondsOf(JOIN.concor)], JOIN.concor.map(changeCells)),
    ...memorySection(rows),
  ]);
}

const CHART = "Events a second at the limit, by hand and with Penstock";

/** The page and its chart, by their names in docs. */
export const experimentFiles = (root, kept) => ({
  "images/experiments/overhead.svg": chart(CHART, chartBlocks(kept.rows)),
  ...(memory(kept.rows).length > 0 && { "images/experiments/memory.svg": memoryChart(kept.rows) }),
  "experiments.md": experimentsPage(root, kept),
});
