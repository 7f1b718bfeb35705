import { sideOf } from "./workloads.mjs";

export function median(values) {
  if (values.length === 0) throw new Error("the median of nothing");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One line of the result: what --json writes. */
export const summary = (workload, contender, unit, values) => ({
  workload,
  contender,
  unit,
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  runs: values.length,
});

const best = (results) =>
  results.reduce((a, b) => (a === undefined || b.median > a.median ? b : a), undefined);

/**
 * How ours did in a workload: the figure, the best peer, the limit that the goals name (else the
 * lowest one), and each goal with what was `reached` and which `share` of the goal that is. Undefined when ours was not measured.
 */
export function verdict(workload, results) {
  const own = results.filter((result) => result.workload === workload.name);
  const ours = own.find(({ contender }) => contender === "penstock");
  if (ours === undefined) return undefined;
  const peers = own.filter(({ contender }) => sideOf(contender) === "peer");
  const limits = own.filter(({ contender }) => sideOf(contender) === "limit");
  const named = limits.find(({ contender }) =>
    workload.goals.some(({ to }) => Array.isArray(to) && to.includes(contender)),
  );
  const goals = workload.goals.flatMap((goal) => {
    if (goal.atMost !== undefined) {
      const cost = goal.of / ours.median;
      return [{ ...goal, reached: cost, share: goal.atMost / cost, met: cost <= goal.atMost }];
    }
    if (goal.itself !== undefined) {
      const reached = ours.median;
      return [{ ...goal, reached, share: reached / goal.atLeast, met: reached >= goal.atLeast }];
    }
    const rival = best(
      goal.to === "peers" ? peers : own.filter(({ contender }) => goal.to.includes(contender)),
    );
    if (rival === undefined) return [];
    const reached = ours.median / rival.median;
    return [
      {
        ...goal,
        rival: rival.contender,
        reached,
        share: reached / goal.atLeast,
        met: reached >= goal.atLeast,
      },
    ];
  });
  return { ours, peer: best(peers), limit: named ?? limits.at(-1), goals };
}

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
