import { goalWords } from "./table.mjs";
import { ratio, short, verdict } from "./figures.mjs";
import { FAMILIES, sideOf, WORKLOADS } from "./workloads.mjs";

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
/** `left` columns of words, then figures. */
const table = (left, head, rows) =>
  [row(head), row(head.map((_, column) => (column < left ? "---" : "---:"))), ...rows.map(row)].join("\n");

const figure = (result) => `${short(result.median)} ${result.unit}`;
const against = (ours, other) =>
  other === undefined ? "" : `${ratio(ours.median / other.median)}x \`${other.contender}\``;

const code = (name) => `\`${name}\``;

function goalCell(goal) {
  const { asked, reached } = goalWords(goal, code);
  return `${goal.met ? "✅" : "❌"} ${asked}: **${reached}**`;
}

function summaryTable(results) {
  const rows = WORKLOADS.flatMap((workload) => {
    const how = verdict(workload, results);
    if (how === undefined) return [];
    const goals = how.goals.map(goalCell);
    return [
      [
        workload.name,
        figure(how.ours),
        against(how.ours, how.peer),
        against(how.ours, how.limit),
        goals.join("<br>") || "no goal set",
      ],
    ];
  });
  return table(
    5,
    ["workload", "Penstock", "against the best peer", "against the limit", "goal: reached"],
    rows,
  );
}

function remarks(results) {
  const lines = WORKLOADS.flatMap((workload) => {
    const missed = (verdict(workload, results)?.goals ?? []).filter(({ met }) => !met);
    if (missed.length === 0) return [];
    const goals = missed.map((goal) => {
      const { asked, reached } = goalWords(goal, code);
      return `asked for ${asked}, reached ${reached}, ${Math.ceil((1 - goal.share) * 100)} % short`;
    });
    return [`- **${workload.name}**: ${goals.join("; ")}. ${workload.missed ?? ""}`.trimEnd()];
  });
  return lines.length === 0 ? "Every goal was reached in this run." : lines.join("\n");
}

function familySection(family, results, what) {
  const workloads = WORKLOADS.filter((workload) => workload.family === family.name);
  const own = results.filter((result) => workloads.some(({ name }) => name === result.workload));
  if (own.length === 0) return [];
  const ours = (name) =>
    own.find((result) => result.workload === name && result.contender === "penstock")?.median;
  const rows = own.map((result) => [
    result.workload,
    sideOf(result.contender) === "ours" ? `**${result.contender}**` : result.contender,
    what.get(`${result.workload} ${result.contender}`) ?? "",
    short(result.median),
    short(result.min),
    short(result.max),
    ours(result.workload) === undefined ? "" : `${ratio(ours(result.workload) / result.median)}x`,
  ]);
  const head = ["workload", "contender", "what it is", "median", "min", "max", "Penstock is"];
  return [
    `## ${family.title}`,
    family.what,
    `![${family.title}](images/performance/${family.name}.svg)`,
    table(3, head, rows),
  ];
}

/** Families that have figures, each with the blocks of its chart. */
export function chartsOf(results) {
  return FAMILIES.map((family) => ({
    ...family,
    blocks: WORKLOADS.filter((workload) => workload.family === family.name).map(({ name, unit }) => ({
      name,
      unit,
      results: results.filter((result) => result.workload === name),
    })),
  })).filter(({ blocks }) => blocks.some((block) => block.results.length > 0));
}

function fewestToMost(results) {
  const counted = WORKLOADS.filter((workload) => workload.counted).map(({ name }) => name);
  const timed = results.filter(({ workload }) => !counted.includes(workload));
  const counts = timed.map(({ runs }) => runs);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  return fewest === most ? String(most) : `${fewest} to ${most}`;
}

const runsOf = (results) => results.reduce((sum, { runs }) => sum + runs, 0);

/** docs/performance.md of a run of everything, as it was kept. */
export function performancePage(kept) {
  const { results, machine, date, load, disturbed, repeated, missing } = kept;
  const what = new Map(kept.contenders.map((one) => [`${one.workload} ${one.contender}`, one.what]));
  const rough =
    disturbed === 0
      ? []
      : [
          `> **These figures are rough.** The machine was never quiet for long: in ${disturbed} of the ${runsOf(results)} runs something else used it at the same time.`,
        ];
  return `${[
    "# Performance",
    "Made by `npm run bench`, which installs the peers, builds everything, measures and draws this page; no number here is typed by hand. What counts are ratios within one run: absolute figures hold for one machine on one day.",
    ...rough,
    summaryTable(results),
    "`penstock` is the runtime as a generated binary uses it: stub, frame, mailbox, handler, future, with counters and sampled latencies on. A `limit` is the bare mechanism on this hardware, by hand and with nothing around it; what waits or batches in a better way may beat it. Everything else is a peer, as Debian packages it or as a programmer would write it.",
    "## Where a goal was missed",
    remarks(results),
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
    ...FAMILIES.flatMap((family) => familySection(family, results, what)),
    "## Measure it yourself",
    "```sh\nnpm run bench                                                  # everything, and this page\nnpm run bench -- --json figures.json                           # everything, into a file\nnpm run bench -- --json figures.json --only ping-pong/spin     # one workload\n```",
    "`--json` writes a list of `workload`, `contender`, `unit`, `median`, `min`, `max` and `runs`; higher is better. The contenders are in [runtime-cpp/bench/compare](../runtime-cpp/bench/compare), goals in [scripts/bench/workloads.mjs](../scripts/bench/workloads.mjs).",
  ].join("\n\n")}\n`;
}
