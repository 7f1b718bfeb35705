import { sideOf } from "../measure/chart.mjs";
import { ratio, short, spread } from "../measure/figures.mjs";
import { aligned } from "../measure/tables.mjs";
import { WORKLOADS } from "./workloads.mjs";

/** One line of the result: what --json writes. */
export const summary = (workload, contender, unit, values) => ({
  ...{ workload, contender, unit },
  ...spread(values),
});

const best = (results) =>
  results.reduce((a, b) => (a === undefined || b.median > a.median ? b : a), undefined);

/** A goal with what was `reached` and which `share` of it that is; none without a rival that was measured. */
function judged(goal, ours, own) {
  const judge = (reached, share, rival) => [{ ...goal, reached, share, met: share >= 1, ...rival }];
  if (goal.atMost !== undefined) {
    const cost = goal.of / ours.median;
    return judge(cost, goal.atMost / cost);
  }
  if (goal.itself !== undefined) return judge(ours.median, ours.median / goal.atLeast);
  const isRival = ({ contender }) =>
    goal.to === "peers" ? sideOf(contender) === "peer" : goal.to.includes(contender);
  const rival = best(own.filter(isRival));
  if (rival === undefined) return [];
  const reached = ours.median / rival.median;
  return judge(reached, reached / goal.atLeast, { rival: rival.contender });
}

/**
 * How ours did in a workload: the figure, the best peer, the limit that the goals name (else the lowest
 * one), and each goal. Undefined when ours was not measured.
 */
export function verdict(workload, results) {
  const own = results.filter((result) => result.workload === workload.name);
  const ours = own.find(({ contender }) => contender === "penstock");
  if (ours === undefined) return undefined;
  const on = (side) => own.filter(({ contender }) => sideOf(contender) === side);
  const isNamed = ({ contender }) =>
    workload.goals.some(({ to }) => Array.isArray(to) && to.includes(contender));
  const limits = on("limit");
  const goals = workload.goals.flatMap((goal) => judged(goal, ours, own));
  return { ours, peer: best(on("peer")), limit: limits.find(isNamed) ?? limits.at(-1), goals };
}

/** What a goal asks for and what was reached, in words; `name` marks contenders. */
export function goalWords(goal, name = (contender) => contender) {
  if (goal.atMost !== undefined) {
    const [unit] = goal.cost.split(" ");
    return {
      asked: `at most ${goal.atMost} ${goal.cost}`,
      reached: `${goal.reached.toPrecision(3)} ${unit}`,
    };
  }
  if (goal.itself !== undefined)
    return { asked: `at least ${goal.atLeast} ${goal.itself}`, reached: goal.reached.toFixed(2) };
  const rivals = goal.to === "peers" ? ["every peer"] : goal.to.map(name);
  const only = goal.to !== "peers" && goal.to.length === 1;
  return {
    asked: `${goal.atLeast}x ${rivals.join(", ")}`,
    reached: `${ratio(goal.reached)}x${only ? "" : ` ${name(goal.rival)}`}`,
  };
}

/** Every figure, and ours against it. */
export function printedTable(results) {
  const rows = results.map((one) => {
    const ours = results.find((other) => other.workload === one.workload && other.contender === "penstock");
    const against = ours === undefined || ours === one ? "" : `${ratio(ours.median / one.median)}x`;
    const figures = [one.median, one.min, one.max].map(short);
    return [one.workload, one.contender, ...figures, one.unit, String(one.runs), against];
  });
  return aligned([["workload", "contender", "median", "min", "max", "unit", "runs", "ours is"], ...rows]);
}

/** Every goal, whether it was reached, and by how much. */
export const printedGoals = (results) =>
  WORKLOADS.flatMap((workload) =>
    (verdict(workload, results)?.goals ?? []).map((goal) => {
      const { asked, reached } = goalWords(goal);
      return `${goal.met ? "✓" : "✗"} ${workload.name}: ${asked}: ${reached}`;
    }),
  ).join("\n");
