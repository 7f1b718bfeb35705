import {
  DEFAULT_POOL,
  type Message,
  type Service,
  type Stage,
  type Topology,
  sizedPool,
  isThreadRange,
  threadName,
  timesThreads,
} from "@penstock/codegen/topology";
import { binariesOf } from "../../kernel/document/edits/binaries.js";
import { madeOnce } from "../../kernel/document/madeOnce.js";

/** The small label right of a node's name. */
export interface Chip {
  label: string;
  /** Index of the pool in its binary for its colour; undefined for roles. */
  pool?: number;
  /** The pool whose threads the label counts. */
  of?: { binary: string; pool: string };
  tone?: "neutral" | "bad";
}

/** Where a service's calls run, as drawn: on a pool (`models ×3`) or on a thread (`front·0`); nothing for the default pool. */
export function poolChip(topology: Topology, service: Service, stage?: Stage): Chip | undefined {
  const join = stage?.join;
  if (stage && stage.role === "catch") return { label: "catch", tone: "bad" };
  // That a standard node looks on is in its nature.
  if (stage && stage.role === "side-effect" && !service.node)
    return { label: "side effect", tone: "neutral" };
  for (const binary of binariesOf(topology, service.name)) {
    const placement = binary.placement[service.name];
    const name = join && "pool" in join ? join.pool : placement?.pool;
    if (name === undefined || name === DEFAULT_POOL) continue;
    const index = binary.pools.findIndex((pool) => pool.name === name);
    if (index < 0) return { label: name, tone: "bad" };
    const threads = binary.pools[index]?.threads ?? [];
    // A join gives the events to the whole of its pool.
    const placed = join && "pool" in join ? undefined : placement?.thread;
    if (placed !== undefined) return { label: threadName(name, placed), pool: index };
    // Between bounds the number moves by itself.
    if (isThreadRange(threads)) return { label: sizedPool(name, threads), pool: index };
    return { label: sized(name, threads.length), pool: index, of: { binary: binary.name, pool: name } };
  }
  return undefined;
}

/** A pool of one thread is as its thread. */
const sized = (name: string, threads: number): string =>
  threads === 1 ? threadName(name, 0) : `${name} ${timesThreads(threads)}`;

/** What the label of a pool says while it has so many threads in each process. */
export const poolNow = ({ label, of }: Chip, each: number | null): string =>
  of === undefined || each === null ? label : sized(of.pool, each);

/** Colour of a message type, the same on every port it goes through. */
export const typeColor = (topology: Topology, message: string | undefined): string => {
  if (message === "Failure") return "var(--bad)";
  const index = message === undefined ? undefined : messageIndexes(topology.messages).get(message);
  return index === undefined ? "var(--text-3)" : `var(--pool-${((index + 4) % 6) + 1})`;
};

const messageIndexes = madeOnce(
  (messages: readonly Message[]): ReadonlyMap<string, number> =>
    // Of two with one name the first counts.
    new Map(messages.map(({ name }, index) => [name, index] as const).toReversed()),
);
