import { type JoinAsked, threadWords } from "../contract/index.js";
import { DEFAULT_QUEUE, type Join, type Thread, type Topology } from "../model/topology/index.js";
import { drawnAs, drawnThreadLayout, ownPoolOf, type ThreadLayout } from "./threadLayout.js";

/** One thing that two layouts of threads have differently. */
export type Difference =
  | { of: "pool"; pool: string; from: readonly Thread[]; to: readonly Thread[] }
  | { of: "join"; flow: string; stage: string; from: Join | null; to: Join | null };

const cpusOf = (thread: Thread | undefined): readonly number[] => thread?.cpus ?? [];
const sameCpus = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((cpu) => b.includes(cpu));
const sameThreads = (a: readonly Thread[], b: readonly Thread[]): boolean =>
  a.length === b.length && a.every((thread, index) => sameCpus(cpusOf(thread), cpusOf(b[index])));

export function sameJoin(a: Join | null, b: Join | null): boolean {
  if (a === null || b === null) return a === b;
  if ("pool" in a || "pool" in b) return "pool" in a && "pool" in b && a.pool === b.pool;
  return a.threads === b.threads && a.queue === b.queue && a.overflow === b.overflow;
}

/**
 * What `to` says differently from `from`. Pools and slots that one of them does not name are left out:
 * a layout of threads says nothing about those. O(pools + slots).
 */
export function differences(from: ThreadLayout, to: ThreadLayout): Difference[] {
  const pools = new Map(from.pools.map(({ name, threads }) => [name, threads]));
  const joins = new Map(from.joins.map(({ flow, stage, join }) => [ownPoolOf(flow, stage), join ?? null]));
  return [
    ...to.pools.flatMap(({ name, threads }): Difference[] => {
      const before = pools.get(name);
      if (before === undefined || threads.length === 0 || sameThreads(before, threads)) return [];
      return [{ of: "pool", pool: name, from: before, to: threads }];
    }),
    ...to.joins.flatMap(({ flow, stage, join = null }): Difference[] => {
      const before = joins.get(ownPoolOf(flow, stage));
      if (before === undefined || sameJoin(before, join)) return [];
      return [{ of: "join", flow, stage, from: before, to: join }];
    }),
  ];
}

/** What `drawnAs` changes: nothing of a pool whose bounds hold the layout's threads. */
export function differencesDrawn(topology: Topology, binary: string, layout: ThreadLayout): Difference[] {
  const drawn = (of: Topology): ThreadLayout => {
    const found = of.binaries.find(({ name }) => name === binary);
    return found ? drawnThreadLayout(of, found) : { pools: [], joins: [] };
  };
  return differences(drawn(topology), drawn(drawnAs(topology, binary, layout)));
}

/** What stands before a stage, for people: `pool front`, `4 threads of its own`, `no join`. */
export function joinWords(join: JoinAsked | null): string {
  if (join === null) return "no join";
  if ("pool" in join) return `pool ${join.pool}`;
  const threads = join.threads === "cached" ? "cached threads" : threadWords(join.threads);
  const queue = join.queue === undefined || join.queue === DEFAULT_QUEUE ? "" : `, queue ${join.queue}`;
  const overflow = join.overflow === undefined || join.overflow === "block" ? "" : `, ${join.overflow}`;
  return `${threads} of its own${queue}${overflow}`;
}

const pins = (threads: readonly Thread[]): string =>
  threads
    .flatMap(({ cpus = [] }, index) => (cpus.length > 0 ? [`${index} on CPU ${cpus.join(", ")}`] : []))
    .join("; ");

/** `front: 1 → 4 threads`, `Impressions/log: no join → pool front`. */
export function differenceWords(difference: Difference): string {
  if (difference.of === "join")
    return `${difference.flow}/${difference.stage}: ${joinWords(difference.from)} → ${joinWords(difference.to)}`;
  const { pool, from, to } = difference;
  if (from.length !== to.length) return `${pool}: ${from.length} → ${threadWords(to.length)}`;
  return `${pool}: ${pins(from) || "no pins"} → ${pins(to) || "no pins"}`;
}
