import { spawnSync } from "node:child_process";
import { run } from "../setup/child.mjs";
import { Obstacle } from "../setup/report.mjs";
import { instructionsPerTurn } from "../test/instructions.mjs";
import { inTurn } from "../measure/figures.mjs";
import { othersSince, look, QUIET, waitForQuiet } from "../measure/quiet.mjs";
import { summary } from "./goals.mjs";
import { WORKLOADS } from "./workloads.mjs";

function listed(program) {
  const { status, stdout, stderr } = spawnSync(program, { encoding: "utf8" });
  if (status !== 0) throw new Obstacle(`${program} does not start: ${stderr}`, "npm run bench");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ ...JSON.parse(line), program }));
}

/** All contenders as their programs list them; each has a workload that the page knows. */
export function contendersOf(programs) {
  const all = programs.flatMap(listed);
  const stray = all.find(({ workload }) => !WORKLOADS.some(({ name }) => name === workload));
  if (stray !== undefined) {
    throw new Obstacle(`no workload is called ${stray.workload}`, "add it to scripts/bench/workloads.mjs");
  }
  return all;
}

/** One run of one contender, in a process of its own. `others`: processors that others used meanwhile. */
async function runOnce({ program, workload, contender }) {
  const before = look();
  const { code, tail } = await run(program, [workload, contender]);
  if (code !== 0) return { error: `${workload} ${contender} ended with ${code}: ${tail.join(" ")}` };
  const said = JSON.parse(tail.at(-1));
  return { rate: said.rate, others: othersSince(before, said.cpu_seconds) };
}

/** A run that others disturb is made again so often, each time after waiting so long for quiet. */
const REPEATS = 3;
const QUIET_WAIT = 10_000;
/** Runs of each contender that a median needs, however short the time. */
export const FEWEST_RUNS = 5;

/** A run as quiet as it can be had, with how often it was `repeated`, and whether it was `disturbed`. */
async function runQuietly(one, workload, { rough, deadline }, progress) {
  const noisy = (result) => workload.anyLoad !== true && result.others > QUIET;
  const repeats = rough ? 0 : REPEATS;
  let result = await runOnce(one);
  let repeated = 0;
  while (noisy(result) && repeated < repeats && performance.now() <= deadline) {
    repeated += 1;
    await waitForQuiet(Math.min(deadline, performance.now() + QUIET_WAIT), progress);
    result = await runOnce(one);
  }
  return { ...result, repeated, disturbed: noisy(result) };
}

const nothing = () => ({ results: [], errors: [], disturbed: 0, repeated: 0 });

/**
 * One workload: its contenders in turn, `runs` times, each time beginning with another one. A run
 * with other work on the machine is thrown away and made again (unless `rough`); one that cannot
 * be had without counts, and is counted in `disturbed`. After `deadline` nothing is made again, and
 * five runs are enough.
 */
async function measureWorkload(workload, contenders, how, progress) {
  const values = new Map(contenders.map((one) => [one, []]));
  const total = nothing();
  const rounds = how.runs * (workload.times ?? 1);
  for (let round = 0; round < rounds; ++round) {
    if (round >= FEWEST_RUNS && performance.now() > how.deadline) break;
    for (const one of inTurn(contenders, round)) {
      if (!values.has(one)) continue;
      progress(`${workload.name}, run ${round + 1} of ${rounds}: ${one.contender}`);
      const { error, rate, repeated, disturbed } = await runQuietly(one, workload, how, progress);
      total.repeated += repeated;
      if (error !== undefined) {
        total.errors.push(error);
        values.delete(one);
        continue;
      }
      if (disturbed) total.disturbed += 1;
      values.get(one).push(rate);
    }
  }
  return {
    ...total,
    results: workload.against === undefined ? each(workload, values) : pairs(workload, values),
  };
}

const each = (workload, values) =>
  [...values]
    .map(([one, rates]) => summary(workload.name, one.contender, workload.unit, rates))
    .sort((a, b) => b.median - a.median);

/**
 * Ours as a share of the one that it is measured against, run by run: what both runs of a pair met,
 * another clock or another processor, is not in their ratio.
 */
function pairs(workload, values) {
  const ratesOf = (name) => [...values].find(([{ contender }]) => contender === name)?.[1];
  const ours = ratesOf("penstock");
  const others = ratesOf(workload.against);
  if (ours === undefined || others === undefined) return [];
  const ratios = ours.map((rate, run) => rate / others[run]);
  return [summary(workload.name, "penstock", workload.unit, ratios)];
}

/** Instructions instead of time, once: they are the same each time and on any machine. */
async function countWorkload(workload, contenders, progress) {
  const perTurn = new Map();
  for (const { program, contender } of contenders) {
    progress(`${workload.name}: ${contender}`);
    const counted = await instructionsPerTurn([program, workload.name, contender]);
    if (counted.failed !== undefined)
      return { ...nothing(), errors: [`${counted.failed}: ${counted.tail.join(" ")}`] };
    perTurn.set(contender, counted.perTurn);
  }
  const share = perTurn.get(workload.against) / perTurn.get("penstock");
  if (Number.isNaN(share)) return nothing();
  return { ...nothing(), results: [summary(workload.name, "penstock", workload.unit, [share])] };
}

/**
 * Measures the workloads called `names`: `how` are `runs`, `rough` and the `deadline` (of
 * performance.now()); every contender has its share of the time until then.
 */
export async function measureAll(programs, names, how, progress) {
  const all = contendersOf(programs).filter(({ workload }) => names.includes(workload));
  const total = nothing();
  const turns = WORKLOADS.reduce(
    (sum, { name, times = 1 }) => sum + times * all.filter(({ workload }) => workload === name).length,
    0,
  );
  const begin = performance.now();
  let measured = 0;
  for (const workload of WORKLOADS) {
    const own = all.filter((one) => one.workload === workload.name);
    measured += own.length * (workload.times ?? 1);
    const deadline = begin + ((how.deadline - begin) * measured) / turns;
    if (own.length === 0) continue;
    const part = workload.counted
      ? await countWorkload(workload, own, progress)
      : await measureWorkload(workload, own, { ...how, deadline }, progress);
    for (const key of ["results", "errors"]) total[key].push(...part[key]);
    for (const key of ["disturbed", "repeated"]) total[key] += part[key];
  }
  return total;
}
