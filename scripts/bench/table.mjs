import { ratio, short, verdict } from "./figures.mjs";
import { WORKLOADS } from "./workloads.mjs";

/** What a goal asks for and what was reached, in words; `name` marks contenders. */
export function goalWords(goal, name = (contender) => contender) {
  if (goal.atMost !== undefined) {
    const [unit] = goal.cost.split(" ");
    return {
      asked: `at most ${goal.atMost} ${goal.cost}`,
      reached: `${goal.reached.toPrecision(3)} ${unit}`,
    };
  }
  if (goal.itself !== undefined) {
    return { asked: `at least ${goal.atLeast} ${goal.itself}`, reached: goal.reached.toFixed(2) };
  }
  const [one, ...more] = goal.to === "peers" ? ["every peer"] : goal.to.map(name);
  const asked = `${goal.atLeast}x ${one}${more.map((other) => `, ${other}`).join("")}`;
  const only = goal.to !== "peers" && goal.to.length === 1;
  return { asked, reached: `${ratio(goal.reached)}x${only ? "" : ` ${name(goal.rival)}`}` };
}

/** Columns as wide as their widest cell; numbers to the right. */
export function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Every figure, and ours against it. */
export function printedTable(results) {
  const rows = results.map((one) => {
    const ours = results.find((other) => other.workload === one.workload && other.contender === "penstock");
    const against = ours === undefined || ours === one ? "" : `${ratio(ours.median / one.median)}x`;
    return [
      one.workload,
      one.contender,
      short(one.median),
      short(one.min),
      short(one.max),
      one.unit,
      String(one.runs),
      against,
    ];
  });
  return aligned([["workload", "contender", "median", "min", "max", "unit", "runs", "ours is"], ...rows]);
}

/** Every goal, whether it was reached, and by how much. */
export function printedGoals(results) {
  return WORKLOADS.flatMap((workload) =>
    (verdict(workload, results)?.goals ?? []).map((goal) => {
      const { asked, reached } = goalWords(goal);
      return `${goal.met ? "✓" : "✗"} ${workload.name}: ${asked}: ${reached}`;
    }),
  ).join("\n");
}
