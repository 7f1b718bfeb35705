import { CATALOGUE, quote } from "../../../diagnostics/index.js";
import {
  FIRST_NICE,
  isThreadRange,
  LAST_CPU,
  LAST_NICE,
  LONGEST_QUEUE,
  MOST_THREADS,
  type Join,
  type ThreadRange,
  type Threads,
} from "../../../topology/index.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

/** Of pools, and of presets of pools. */
export const POOL_CODES = {
  PS501: CATALOGUE.PS501,
  PS502: {
    severity: "error",
    title: "Queue length out of range",
    explanation: `A queue holds 1 to ${LONGEST_QUEUE} events.`,
    help: "Use a length in that range.",
  },
  PS503: {
    severity: "error",
    title: "Priority out of range",
    explanation: `A priority is a nice level: ${FIRST_NICE} (first) to ${LAST_NICE} (last).`,
    help: "Use a level in that range.",
  },
  PS504: {
    severity: "error",
    title: "CPU out of range",
    explanation: `CPU ids are 0 to ${LAST_CPU}; whether the machine has the CPU is checked when the binary starts.`,
    help: "Use an id in that range.",
  },
  PS505: {
    severity: "error",
    title: "CPU named twice",
    explanation: "The pin of a thread is a set of CPUs.",
    help: "Remove one of the two.",
  },
  PS519: {
    severity: "error",
    title: "Bounds of threads out of range",
    explanation: `A pool whose threads come and go has 1 thread at least and ${MOST_THREADS} at most.`,
    help: "Use numbers in that range.",
  },
  PS520: {
    severity: "error",
    title: "Bounds of threads the wrong way round",
    explanation: "`from` is the fewest threads of a pool and `to` the most.",
    help: "Exchange the two, or write one number.",
  },
  PS521: {
    severity: "error",
    title: "Pins on threads that come and go",
    explanation: "Only a pool whose threads stay can say on which CPUs each of them runs.",
    help: "Remove `cpus`, or list the threads.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof POOL_CODES>;

/** Threads, queues, priorities and CPUs of pools, and of joins with a pool of their own, are in range. */
export const poolsAreInRange = rule({
  name: "poolsAreInRange",
  codes: POOL_CODES,
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
});

/** Threads of a pool and their CPUs, or its bounds. */
export function checkPool(
  context: Context,
  place: Place,
  owner: string,
  pool: { name: string; threads: Threads },
): void {
  if (isThreadRange(pool.threads)) {
    checkRange(context, [...place, "threads"], owner, pool.threads);
    return;
  }
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

function checkRange({ report }: Context, place: Place, owner: string, range: ThreadRange): void {
  const { from, to, cpus } = range;
  let sound = true;
  for (const [key, bound] of [
    ["from", from],
    ["to", to],
  ] as const) {
    if (bound >= 1 && bound <= MOST_THREADS) continue;
    sound = false;
    report("PS519", [...place, key], `${owner} has threads ${key} ${bound}, not 1 to ${MOST_THREADS}`);
  }
  if (sound && from > to)
    report("PS520", [...place, "to"], `${owner} has at least ${from} threads and at most ${to}`);
  if (cpus !== undefined)
    report("PS521", [...place, "cpus"], `${owner} has pins, and threads that come and go`);
}

/** Threads and queue of a join with a pool of its own. */
export function checkJoin(
  context: Context,
  place: Place,
  owner: string,
  join: Exclude<Join, { pool: string }>,
): void {
  if (join.threads !== "cached") checkThreads(context, [...place, "threads"], owner, join.threads);
  checkQueue(context, [...place, "queue"], owner, join.queue);
}

function checkThreads({ report }: Context, place: Place, owner: string, threads: number): void {
  if (threads >= 1 && threads <= MOST_THREADS) return;
  report("PS501", place, `${owner} has ${threads === 0 ? "no" : threads} threads, not 1 to ${MOST_THREADS}`);
}

function checkQueue({ report }: Context, place: Place, owner: string, queue: number): void {
  if (queue < 1 || queue > LONGEST_QUEUE)
    report("PS502", place, `${owner} has a queue of ${queue}, not 1 to ${LONGEST_QUEUE}`);
}

function checkCpus({ report }: Context, place: Place, owner: string, cpus: readonly number[]): void {
  const seen = new Set<number>();
  for (const [at, cpu] of cpus.entries()) {
    if (cpu < 0 || cpu > LAST_CPU)
      report("PS504", [...place, at], `${owner} is pinned to the CPU ${cpu}, not one of 0 to ${LAST_CPU}`);
    else if (seen.has(cpu)) report("PS505", [...place, at], `${owner} is pinned to the CPU ${cpu} twice`);
    seen.add(cpu);
  }
}

export const bad: readonly BadExample<keyof typeof POOL_CODES>[] = [
  {
    code: "PS501",
    title: "row 50: a pool of no thread",
    spoil: ({ models }) => void (models.threads = []),
    pointer: "/binaries/0/pools/1",
    node: "pool:ads-server/models",
  },
  {
    code: "PS501",
    title: "row 50: a pool of a thousand million threads",
    spoil: ({ models }) => void (models.threads = 1e9),
    pointer: "/binaries/0/pools/1/threads",
    node: "pool:ads-server/models",
  },
  {
    code: "PS501",
    title: "row 50: a pool of 513 threads twice",
    spoil: ({ models }) => void (models.threads = [{ count: 513, cpus: [0] }, { count: 513 }]),
    pointer: "/binaries/0/pools/1/threads",
  },
  {
    code: "PS501",
    title: "row 50: no thread of a kind",
    spoil: ({ models }) => void (models.threads = [{}, { count: 0 }]),
    pointer: "/binaries/0/pools/1/threads",
  },
  {
    code: "PS501",
    title: "row 50: a pool of 1025 threads",
    spoil: ({ models }) => void (models.threads = Array.from({ length: 1025 }, () => ({}))),
    pointer: "/binaries/0/pools/1/threads",
  },
  {
    code: "PS501",
    title: "a join of -1 threads",
    spoil: ({ pick }) => void (pick.join = { threads: -1 }),
    pointer: "/flows/0/stages/0/join/threads",
  },
  {
    code: "PS502",
    title: "a queue of 0",
    spoil: ({ models }) => void (models.queue = 0),
    pointer: "/binaries/0/pools/1/queue",
  },
  {
    code: "PS502",
    title: "a join with a queue too long",
    spoil: ({ pick }) => void (pick.join = { threads: 2, queue: 1_048_577 }),
    pointer: "/flows/0/stages/0/join/queue",
  },
  {
    code: "PS503",
    title: "a priority of 20",
    spoil: ({ models }) => void (models.priority = 20),
    pointer: "/binaries/0/pools/1/priority",
  },
  {
    code: "PS504",
    title: "CPU 1024",
    spoil: ({ front }) => void (front.threads = [{ cpus: [0, 1024] }]),
    pointer: "/binaries/0/pools/0/threads/0/cpus/1",
  },
  {
    code: "PS505",
    title: "a CPU twice",
    spoil: ({ front }) => void (front.threads = [{ cpus: [0, 0] }]),
    pointer: "/binaries/0/pools/0/threads/0/cpus/1",
  },
  {
    code: "PS519",
    title: "row 50: a pool with no thread at times",
    spoil: ({ models }) => void (models.threads = { from: 0, to: 8 }),
    pointer: "/binaries/0/pools/1/threads/from",
    node: "pool:ads-server/models",
  },
  {
    code: "PS519",
    title: "row 50: a pool that grows to a thousand million threads",
    spoil: ({ models }) => void (models.threads = { from: 2, to: 1e9 }),
    pointer: "/binaries/0/pools/1/threads/to",
  },
  {
    code: "PS520",
    title: "a pool of at least 8 and at most 2 threads",
    spoil: ({ models }) => void (models.threads = { from: 8, to: 2 }),
    pointer: "/binaries/0/pools/1/threads/to",
    node: "pool:ads-server/models",
  },
  {
    code: "PS521",
    title: "pins on threads that come and go",
    spoil: ({ models }) => void (models.threads = { from: 2, to: 8, cpus: [0] }),
    pointer: "/binaries/0/pools/1/threads/cpus",
    node: "pool:ads-server/models",
  },
];
