import os from "node:os";
import process from "node:process";
import { median } from "../bench/figures.mjs";
import { cpuName, systemName } from "../bench/machine.mjs";

/** Two digits of a millisecond, one of a second. */
export const time = (seconds) =>
  seconds >= 1 ? `${seconds.toFixed(1)} s` : `${(seconds * 1000).toPrecision(seconds >= 0.1 ? 3 : 2)} ms`;

/** What a reader has to know of where the figures come from. */
export const machineOf = () => ({
  cpu: cpuName(),
  cores: os.availableParallelism(),
  system: `${systemName()}, Linux ${os.release()}`,
  node: process.version,
});

function line({ what, seconds, goal }) {
  const middle = median(seconds);
  const reached = goal === undefined ? "" : `${middle <= goal ? "✅" : "❌"} ${time(goal)}`;
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  return `| ${what} | ${time(middle)} | ${time(least)} | ${time(most)} | ${seconds.length} | ${reached} |`;
}

const missed = ({ seconds, goal }) => goal !== undefined && median(seconds) > goal;

function missedLines(rows) {
  const lines = rows
    .filter(missed)
    .map(({ what, seconds, goal, missed: why }) =>
      `- **${what}**: ${time(median(seconds))} instead of ${time(goal)}. ${why ?? ""}`.trimEnd(),
    );
  return lines.length === 0 ? "Every goal was reached in this run." : lines.join("\n");
}

/** The page of all `rows`; `machine` and `date` are those of the run. */
export function timesPage(rows, machine, date) {
  return `# From drawing to running

Made by \`npm run times\`, which measures everything anew; no number here is typed by hand. Absolute figures hold for
one machine on one day. A build is timed from the start of \`penstock run\` to the binary's word that it is ready, with the
runtime built before and the compiler cache off; with it a build that was done before takes a fraction.

| what | median | min | max | runs | goal |
| --- | ---: | ---: | ---: | ---: | --- |
${rows.map(line).join("\n")}

The goals are those of the design for two processors. \`as many bare files\` is what the disk alone takes for as many
files as a generation writes, with nothing else done.

${missedLines(rows)}

|  |  |
| --- | --- |
| date | ${date.toISOString()} |
| machine | ${machine.cpu}, ${machine.cores} processors |
| system | ${machine.system}, Node ${machine.node} |
`;
}
