import { chart, sideOf } from "../measure/chart.mjs";
import { ratio, short } from "../measure/figures.mjs";
import { page, table } from "../measure/tables.mjs";
import { goalWords, verdict } from "./goals.mjs";
import { FAMILIES, WORKLOADS } from "./workloads.mjs";

const against = (ours, other) =>
  other === undefined ? "" : `${ratio(ours.median / other.median)}x \`${other.contender}\``;
const inWords = (goal) => goalWords(goal, (name) => `\`${name}\``);

function goalCell(goal) {
  const { asked, reached } = inWords(goal);
  return `${goal.met ? "✅" : "❌"} ${asked}: **${reached}**`;
}

const summaryTable = (judged) =>
  table(
    5,
    ["workload", "Penstock", "against the best peer", "against the limit", "goal: reached"],
    judged.map(({ workload, ours, peer, limit, goals }) => [
      workload.name,
      `${short(ours.median)} ${ours.unit}`,
      against(ours, peer),
      against(ours, limit),
      goals.map(goalCell).join("<br>") || "no goal set",
    ]),
  );

function remarks(judged) {
  const lines = judged.flatMap(({ workload, goals }) => {
    const missed = goals.filter(({ met }) => !met);
    if (missed.length === 0) return [];
    const how = missed.map((goal) => {
      const { asked, reached } = inWords(goal);
      return `asked for ${asked}, reached ${reached}, ${Math.ceil((1 - goal.share) * 100)} % short`;
    });
    return [`- **${workload.name}**: ${how.join("; ")}. ${workload.missed ?? ""}`.trimEnd()];
  });
  return lines.length === 0 ? "Every goal was reached in this run." : lines.join("\n");
}

/** Families that have figures, each with the blocks of its chart. */
export const chartsOf = (results) =>
  FAMILIES.map((family) => ({
    ...family,
    blocks: WORKLOADS.filter((workload) => workload.family === family.name).map(({ name, unit }) => ({
      name,
      unit,
      results: results.filter((result) => result.workload === name),
    })),
  })).filter(({ blocks }) => blocks.some((block) => block.results.length > 0));

function familySection({ name, title, what, blocks }, results, contenders) {
  const described = new Map(contenders.map((one) => [`${one.workload} ${one.contender}`, one.what]));
  const own = results.filter(({ workload }) => blocks.some((block) => block.name === workload));
  const rows = own.map(({ workload, contender, median, min, max }) => {
    const ours = own.find((one) => one.workload === workload && one.contender === "penstock");
    return [
      workload,
      sideOf(contender) === "ours" ? `**${contender}**` : contender,
      described.get(`${workload} ${contender}`) ?? "",
      ...[median, min, max].map(short),
      ours === undefined ? "" : `${ratio(ours.median / median)}x`,
    ];
  });
  const head = ["workload", "contender", "what it is", "median", "min", "max", "Penstock is"];
  return [`## ${title}`, what, `![${title}](images/performance/${name}.svg)`, table(3, head, rows)];
}

function fewestToMost(results) {
  const counted = WORKLOADS.filter((workload) => workload.counted).map(({ name }) => name);
  const counts = results.filter(({ workload }) => !counted.includes(workload)).map(({ runs }) => runs);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  return fewest === most ? String(most) : `${fewest} to ${most}`;
}

/** docs/performance.md of a run of everything, as it was kept. */
export function performancePage(kept) {
  const { results, machine, date, load, disturbed, repeated, missing, contenders } = kept;
  const judged = WORKLOADS.flatMap((workload) => {
    const how = verdict(workload, results);
    return how === undefined ? [] : [{ workload, ...how }];
  });
  const allRuns = results.reduce((sum, { runs }) => sum + runs, 0);
  const rough = `> **These figures are rough.** The machine was never quiet for long: in ${disturbed} of the ${allRuns} runs something else used it at the same time.`;
  return page([
    "# Performance",
    "Made by `npm run bench`, which installs the peers, builds everything, measures and draws this page; no number here is typed by hand. What counts are ratios within one run: absolute figures hold for one machine on one day.",
    ...(disturbed === 0 ? [] : [rough]),
    summaryTable(judged),
    "`penstock` is the runtime as a generated binary uses it: stub, frame, mailbox, handler, future, with counters and sampled latencies on. A `limit` is the bare mechanism on this hardware, by hand and with nothing around it; what waits or batches in a better way may beat it. Everything else is a peer, as Debian packages it or as a programmer would write it.",
    "## Where a goal was missed",
    remarks(judged),
    "## The run",
    table(
      2,
      ["", ""],
      [
        ["date", date],
        ["machine", `${machine.cpu}, ${machine.cores} processors`],
        ["system", machine.system],
        ["compiler", `${machine.compiler}, \`${machine.flags}\`, the same for all`],
        ["peers", machine.peers.join(", ")],
        ["load average before and after", `${load.before}; ${load.after}`],
        [
          "runs",
          `${fewestToMost(results)} of each contender, in turn, each in a process of its own: 0.15 s of warm-up, 0.4 s measured`,
        ],
        [
          "quiet",
          `${repeated} runs were thrown away because something else used the machine, and made again; ${disturbed} count although it did`,
        ],
      ],
    ),
    "Threads are pinned to the first two processors (producers of the queues: all but the first). CAF starts its threads itself and shares the same processors. SObjectizer is not in Debian and is left out." +
      (missing.length === 0 ? "" : ` ${missing.join(". ")}.`),
    ...chartsOf(results).flatMap((family) => familySection(family, results, contenders)),
    "## Measure it yourself",
    "```sh\nnpm run bench                                                  # everything, and this page\nnpm run bench -- --json figures.json                           # everything, into a file\nnpm run bench -- --json figures.json --only ping-pong/spin     # one workload\n```",
    "`--json` writes a list of `workload`, `contender`, `unit`, `median`, `min`, `max` and `runs`; higher is better. The contenders are in [runtime-cpp/bench/compare](../runtime-cpp/bench/compare), goals in [scripts/bench/workloads.mjs](../scripts/bench/workloads.mjs).",
  ]);
}

/** The page and its charts, by their names in docs. */
export const performanceFiles = (kept) => ({
  ...Object.fromEntries(
    chartsOf(kept.results).map(({ name, title, blocks }) => [
      `images/performance/${name}.svg`,
      chart(title, blocks),
    ]),
  ),
  "performance.md": performancePage(kept),
});
