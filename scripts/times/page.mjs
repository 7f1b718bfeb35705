import { spread, time } from "../measure/figures.mjs";
import { page, table } from "../measure/tables.mjs";

/** docs/times.md of a run, as it was kept. */
export function timesPage({ rows, machine, date }) {
  const judged = rows.map((row) => ({ ...row, ...spread(row.seconds) }));
  const lines = judged.map(({ what, median, min, max, runs, goal }) => [
    ...[what, time(median), time(min), time(max), String(runs)],
    goal === undefined ? "" : `${median <= goal ? "✅" : "❌"} ${time(goal)}`,
  ]);
  const missed = judged
    .filter(({ median, goal }) => median > goal)
    .map(({ what, median, goal, missed: why }) =>
      `- **${what}**: ${time(median)} instead of ${time(goal)}. ${why ?? ""}`.trimEnd(),
    );
  return page([
    "# From drawing to running",
    `Made by \`npm run times\`, which measures everything anew; no number here is typed by hand. Absolute figures hold for
one machine on one day. A build is timed from the start of \`penstock run\` to the binary's word that it is ready, with the
runtime built before and the compiler cache off; with it a build that was done before takes a fraction.`,
    table([0, 5], ["what", "median", "min", "max", "runs", "goal"], lines),
    `The goals are those of the design for two processors. \`as many bare files\` is what the disk alone takes for as many
files as a generation writes, with nothing else done.`,
    missed.length === 0 ? "Every goal was reached in this run." : missed.join("\n"),
    table(
      2,
      ["", ""],
      [
        ["date", date],
        ["machine", `${machine.cpu}, ${machine.cores} processors`],
        ["system", `${machine.system}, Node ${machine.node}`],
      ],
    ),
  ]);
}
