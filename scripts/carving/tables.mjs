import { median } from "../measure/figures.mjs";
import { aligned, table } from "../measure/tables.mjs";
import { SYSTEMS, TIMES } from "./systems.mjs";

const FIGURES = ["perSecond", "minMs", "medianMs", "p95Ms", "p99Ms", "maxMs"];
const HEAD = ["", "numbers", "answered/s", "min ms", "median ms", "p95 ms", "p99 ms", "max ms"];

/** The article's own: 20 requests a second for 10 s, from another machine of the same zone at AWS. */
const SOURCE = [
  ["monolith", 10_000_000, 4.64, 232.7, 16351.4, 31296.4, 32614.5, 32857.7],
  ["monolith", 1_000_000, 20.04, 26.5, 27.1, 28, 30.1, 37.5],
  ["service, Go Twirp", 10_000_000, 19.16, 41.4, 42.6, 44.6, 47.1, 63.3],
  ["carved, Go Twirp", 10_000_000, 19.14, 42.9, 44.3, 46.2, 54, 56.4],
];

const ofRun = ({ tookMs, completed, failed, ...us }) => ({
  failed,
  perSecond: (completed / tookMs) * 1000,
  minMs: us.minUs / 1000,
  medianMs: us.p50Us / 1000,
  p95Ms: us.p95Us / 1000,
  p99Ms: us.p99Us / 1000,
  maxMs: us.maxUs / 1000,
});

/** A row of each system and each size that was run: the median of its rounds, figure by figure. */
export function figuresOf({ runs }) {
  return TIMES.flatMap((times) =>
    SYSTEMS.flatMap(({ name }) => {
      const rounds = runs.filter((run) => run.system === name && run.times === times).map(ofRun);
      if (rounds.length === 0) return [];
      const figures = FIGURES.map((figure) => [figure, median(rounds.map((round) => round[figure]))]);
      const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
      return [{ system: name, times, rounds: rounds.length, failed, ...Object.fromEntries(figures) }];
    }),
  );
}

const figure = (value) =>
  value.toLocaleString(
    "en-US",
    value < 100 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumFractionDigits: 0 },
  );
const cells = ([name, times, ...figures]) => [name, times.toLocaleString("en-US"), ...figures.map(figure)];
const cellsOf = (row) => cells([row.system, row.times, ...FIGURES.map((name) => row[name])]);

/** Whether Penstock's service is asked as quickly as the one in Go, alone and behind the monolith. */
function judged(rows) {
  const of = (system, times) => rows.find((row) => row.system === system && row.times === times);
  return ["service", "carved"].flatMap((kind) => {
    const [ours, theirs] = ["Penstock", "Go Twirp"].map((who) => of(`${kind}, ${who}`, TIMES[0]));
    if (ours === undefined || theirs === undefined) return [];
    const reached = ours.medianMs <= theirs.medianMs && ours.p95Ms <= theirs.p95Ms;
    return `${reached ? "✅" : "❌"} ${kind}: median and p95 no worse than with the service in Go`;
  });
}

/** For the terminal. */
export function printedFigures(kept) {
  const rows = figuresOf(kept);
  const { cpu, cores, system } = kept.machine;
  return [
    aligned([HEAD, ...rows.map(cellsOf)]),
    ...judged(rows),
    ...kept.missing,
    `${cpu}, ${cores} processors, ${system}`,
  ].join("\n");
}

/** What stands between the marks of docs/carving.md. */
export function figuresText(kept) {
  const rows = figuresOf(kept);
  const { machine, date, rounds, forS, load, missing } = kept;
  const by = [`Node ${machine.node}`, ...(machine.go ? [machine.go] : [])].join(", ");
  return [
    table(1, HEAD, rows.map(cellsOf)),
    judged(rows)
      .map((line) => `- ${line}`)
      .join("\n"),
    ...missing,
    `Measured by \`npm run carving\`: ${rounds === 1 ? "one round" : `${rounds} rounds`} of ${forS} s with 20 requests a second, each figure the median of the rounds; load, monolith and
service on one machine. ${machine.cpu}, ${machine.cores} processors, ${machine.system}, ${by}. ${date}, load average before ${load.before}, after
${load.after}.`,
    "The article's own, with the load on another machine:",
    table(1, HEAD, SOURCE.map(cells)),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}
