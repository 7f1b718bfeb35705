import type { LiveSchema } from "@penstock/codegen/contract";
import { DEFAULT_POOL, type Topology } from "@penstock/codegen/topology";

/** By service, as drawn now: the one thread of a pool that its calls, and the flows that begin with it, run on. */
export type ThreadPlaces = ReadonlyMap<string, ThreadPlace>;

export interface ThreadPlace {
  pool: string;
  thread: number;
  /** Of a single-threaded service: it has a turn for each value of a field, so that several may run at once. */
  partitioned: boolean;
}

export const NOWHERE: ThreadPlaces = new Map();

/**
 * The services of a running binary that a drawing places on one thread each. A binary does not say that itself. `own`
 * has its things by the names of that drawing, `drawn` by those of now.
 */
export function threadPlaces(
  { binaries, services }: Topology,
  binary: string,
  own: LiveSchema,
  drawn: LiveSchema,
): ThreadPlaces {
  const placement = binaries.find(({ name }) => name === binary)?.placement ?? {};
  const places = new Map<string, ThreadPlace>();
  own.services.forEach(({ name }, at) => {
    const place = Object.hasOwn(placement, name) ? placement[name] : undefined;
    if (place?.thread === undefined) return;
    const pool = drawn.pools[own.pools.findIndex((one) => one.name === (place.pool ?? DEFAULT_POOL))];
    const service = drawn.services[at];
    if (pool === undefined || service === undefined) return;
    const partitioned = services.find((one) => one.name === name)?.partitionBy !== undefined;
    places.set(service.name, { pool: pool.name, thread: place.thread, partitioned });
  });
  return places;
}
