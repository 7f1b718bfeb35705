import {
  DEFAULT_POOL,
  isThreadRange,
  plainPool,
  threadList,
  type Thread,
  type Topology,
} from "../model/topology/index.js";
import { drawnAs, isOwnPool, type ThreadLayout } from "./threadLayout.js";

const THREADS = (count: number): Thread[] => Array.from({ length: count }, () => ({}));

/**
 * The drawing with another size of a pool, also of one that a join has for itself; pins that stay are kept, bounds are not.
 * The built-in pool is listed once it has a size. The same topology when there is nothing to change.
 */
export function drawnWithPoolSize(
  topology: Topology,
  binary: string,
  pool: string,
  threads: number,
): Topology {
  const threadLayout = isOwnPool(pool)
    ? ownSize(topology, pool, threads)
    : poolSize(topology, binary, pool, threads);
  return threadLayout === undefined
    ? topology
    : drawnAs(withoutBounds(withDefaultPool(topology, binary, pool), binary, pool), binary, threadLayout);
}

function ownSize(topology: Topology, pool: string, threads: number): ThreadLayout | undefined {
  const [flow = "", stage = ""] = pool.split(".");
  const join = topology.flows.find(({ name }) => name === flow)?.stages.find(({ id }) => id === stage)?.join;
  if (join === undefined || "pool" in join || join.threads === "cached" || join.threads === threads)
    return undefined;
  return { pools: [], joins: [{ flow, stage, join: { ...join, threads } }] };
}

function poolSize(
  topology: Topology,
  binary: string,
  name: string,
  threads: number,
): ThreadLayout | undefined {
  const pools = topology.binaries.find((one) => one.name === binary)?.pools;
  const written = pools?.find((one) => one.name === name)?.threads;
  if (written === undefined && name !== DEFAULT_POOL) return undefined;
  const drawn = written === undefined || isThreadRange(written) ? undefined : written;
  if (pools === undefined || drawn?.length === threads) return undefined;
  return {
    pools: [{ name, threads: THREADS(threads).map((thread, index) => drawn?.[index] ?? thread) }],
    joins: [],
  };
}

/** Bounds give way to a number. */
const withoutBounds = (topology: Topology, binary: string, name: string): Topology => ({
  ...topology,
  binaries: topology.binaries.map((one) =>
    one.name !== binary
      ? one
      : {
          ...one,
          pools: one.pools.map((pool) =>
            pool.name === name ? { ...pool, threads: [...threadList(pool.threads)] } : pool,
          ),
        },
  ),
});

function withDefaultPool(topology: Topology, binary: string, name: string): Topology {
  if (name !== DEFAULT_POOL) return topology;
  return {
    ...topology,
    binaries: topology.binaries.map((one) =>
      one.name !== binary || one.pools.some((pool) => pool.name === name)
        ? one
        : {
            ...one,
            pools: [...one.pools, plainPool(name, THREADS(1))],
          },
    ),
  };
}
