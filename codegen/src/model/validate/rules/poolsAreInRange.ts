import { quote } from "../../diagnostics/index.js";
import { MOST_THREADS, type Join, type Thread } from "../../topology/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";

const LONGEST_QUEUE = 1_048_576;
const FIRST_NICE = -20;
const LAST_NICE = 19;
const LAST_CPU = 1023;

/** Threads, queues, priorities and CPUs of pools, and of joins with a pool of their own, are in range. */
export const poolsAreInRange: Rule = {
  name: "poolsAreInRange",
  codes: ["PS501", "PS502", "PS503", "PS504", "PS505"],
  check(context) {
    for (const [at, binary] of context.topology.binaries.entries())
      for (const [inner, pool] of binary.pools.entries()) {
        const place = ["binaries", at, "pools", inner];
        const owner = `The pool ${quote(pool.name)} of ${quote(binary.name)}`;
        checkPool(context, place, owner, pool);
        checkQueue(context, [...place, "queue"], owner, pool.queue);
        if (pool.priority < FIRST_NICE || pool.priority > LAST_NICE)
          context.report(
            "PS503",
            [...place, "priority"],
            `${owner} has the priority ${pool.priority}, not ${FIRST_NICE} to ${LAST_NICE}`,
          );
      }
    for (const [at, flow] of context.topology.flows.entries())
      for (const [inner, { id, join }] of flow.stages.entries()) {
        if (join === undefined || "pool" in join) continue;
        const place = ["flows", at, "stages", inner, "join"];
        const owner = `The join of ${quote(id)} in ${quote(flow.name)}`;
        checkJoin(context, place, owner, join);
      }
  },
};

/** Threads of a pool and their CPUs. */
export function checkPool(
  context: RuleContext,
  place: Place,
  owner: string,
  pool: { name: string; threads: readonly Thread[] },
): void {
  // A list that may not even be there is shown at the pool that lacks it.
  const there = pool.threads.length === 0 ? place : [...place, "threads"];
  checkThreads(context, there, owner, pool.threads.length);
  for (const [thread, { cpus = [] }] of pool.threads.entries())
    checkCpus(
      context,
      [...place, "threads", thread, "cpus"],
      `Thread ${thread} of ${quote(pool.name)}`,
      cpus,
    );
}

/** Threads and queue of a join with a pool of its own. */
export function checkJoin(
  context: RuleContext,
  place: Place,
  owner: string,
  join: Exclude<Join, { pool: string }>,
): void {
  if (join.threads !== "cached") checkThreads(context, [...place, "threads"], owner, join.threads);
  checkQueue(context, [...place, "queue"], owner, join.queue);
}

function checkThreads({ report }: RuleContext, place: Place, owner: string, threads: number): void {
  if (threads >= 1 && threads <= MOST_THREADS) return;
  report("PS501", place, `${owner} has ${threads === 0 ? "no" : threads} threads, not 1 to ${MOST_THREADS}`);
}

function checkQueue({ report }: RuleContext, place: Place, owner: string, queue: number): void {
  if (queue < 1 || queue > LONGEST_QUEUE)
    report("PS502", place, `${owner} has a queue of ${queue}, not 1 to ${LONGEST_QUEUE}`);
}

function checkCpus({ report }: RuleContext, place: Place, owner: string, cpus: readonly number[]): void {
  const seen = new Set<number>();
  for (const [at, cpu] of cpus.entries()) {
    if (cpu < 0 || cpu > LAST_CPU)
      report("PS504", [...place, at], `${owner} is pinned to the CPU ${cpu}, not one of 0 to ${LAST_CPU}`);
    else if (seen.has(cpu)) report("PS505", [...place, at], `${owner} is pinned to the CPU ${cpu} twice`);
    seen.add(cpu);
  }
}
