import type { LiveSchema } from "../contract/index.js";
import {
  indexTopology,
  isThreadRange,
  placedOn,
  threadList,
  type Binary,
  type Flow,
  type Join,
  type Pool,
  type Preset,
  type Thread,
  type Topology,
} from "../model/topology/index.js";

/** How the threads of a binary are laid out: the sizes and pins of its pools, the joins of its flows. */
export type ThreadLayout = Pick<Preset, "pools" | "joins">;

/** The name under which a running binary lists the pool of a join with threads of its own. */
export const ownPoolOf = (flow: string, stage: string): string => `${flow}.${stage}`;
/** Names of drawn pools have no dot. */
export const isOwnPool = (pool: string): boolean => pool.includes(".");

type SchemaPool = LiveSchema["pools"][number];

function joinOn(pool: SchemaPool): Join {
  if (!isOwnPool(pool.name)) return { pool: pool.name };
  return {
    threads: pool.cached ? "cached" : pool.threads.length,
    queue: pool.queue,
    overflow: pool.overflow as Exclude<Join, { pool: string }>["overflow"],
  };
}

/**
 * The join before a stage of a running binary; null: it runs fused. The first stage of a flow is never
 * fused: without a join it is on the pool of its service, which is said as a join on that pool.
 */
export function runningJoin(schema: LiveSchema, flow: string, stage: string): Join | null | undefined {
  const stages = schema.flows.find(({ name }) => name === flow)?.stages ?? [];
  const at = stages.findIndex(({ id }) => id === stage);
  const found = stages[at];
  if (found === undefined) return undefined;
  const service = schema.services.find(({ id }) => id === found.service);
  const id = found.pool ?? (at === 0 ? service?.pool : undefined);
  const pool = schema.pools.find((one) => one.id === id);
  return pool === undefined ? null : joinOn(pool);
}

/** How a running binary is arranged, every pool and every slot of it. */
export function threadLayoutOf(schema: LiveSchema): ThreadLayout {
  return {
    pools: schema.pools
      .filter(({ name, threads }) => !isOwnPool(name) && threads.length > 0)
      .map(({ name, threads }) => ({
        name,
        threads: threads.map(({ asked }) => (asked.length > 0 ? { cpus: [...asked] } : {})),
      })),
    joins: schema.flows.flatMap(({ name: flow, stages }) =>
      stages.map(({ id: stage }) => withJoin(flow, stage, runningJoin(schema, flow, stage) ?? null)),
    ),
  };
}

/** How a binary is drawn: the pools it lists and every slot of the flows it runs. */
export function drawnThreadLayout(topology: Topology, binary: Binary): ThreadLayout {
  const isElsewhere = servedElsewhere(topology, binary);
  return {
    pools: binary.pools.map(({ name, threads }) => ({ name, threads: [...threadList(threads)] })),
    joins: flowsOf(topology, binary).flatMap((flow) =>
      flow.stages.map(({ id, service, join }, at) => {
        const here = isElsewhere(service) ? undefined : join;
        return withJoin(flow.name, id, here ?? (at === 0 ? { pool: placedOn(binary, service).pool } : null));
      }),
    ),
  };
}

/** The flows that a binary runs, through its bundles. */
export function flowsOf(topology: Topology, binary: Binary): Flow[] {
  const names = new Set(
    topology.bundles.filter(({ name }) => binary.bundles.includes(name)).flatMap(({ flows }) => flows),
  );
  return topology.flows.filter(({ name }) => names.has(name));
}

/** Of a stage that another binary runs the join says where it runs there; here it has none. */
const servedElsewhere = (topology: Topology, binary: Binary): ((service: string) => boolean) => {
  const { binariesOfService } = indexTopology(topology);
  return (service) => binariesOfService.get(service)?.includes(binary.name) === false;
};

const withJoin = (flow: string, stage: string, join: Join | null): ThreadLayout["joins"][number] =>
  join === null ? { flow, stage } : { flow, stage, join };

/** Threads that come and go within bounds may be so many; pins are only of threads that stay. */
const isWithin = (drawn: Pool["threads"], threads: readonly Thread[]): boolean =>
  isThreadRange(drawn) &&
  drawn.from <= threads.length &&
  threads.length <= drawn.to &&
  threads.every(({ cpus = [] }) => cpus.length === 0);

/**
 * The drawing with the pools and joins of `threadLayout`; what it does not name, or runs elsewhere, and bounds that
 * hold its threads stay as they are drawn.
 */
export function drawnAs(topology: Topology, binaryName: string, threadLayout: ThreadLayout): Topology {
  const threads = new Map(threadLayout.pools.map((pool) => [pool.name, pool.threads]));
  const joins = new Map(
    threadLayout.joins.map(({ flow, stage, join }) => [ownPoolOf(flow, stage), join ?? null]),
  );
  const binary = topology.binaries.find(({ name }) => name === binaryName);
  const isElsewhere = binary ? servedElsewhere(topology, binary) : () => false;
  return {
    ...topology,
    binaries: topology.binaries.map((one) =>
      one !== binary
        ? one
        : {
            ...one,
            pools: one.pools.map((pool) => {
              const asked = threads.get(pool.name);
              return asked === undefined || isWithin(pool.threads, asked)
                ? pool
                : { ...pool, threads: asked };
            }),
          },
    ),
    flows: topology.flows.map((flow) => ({
      ...flow,
      stages: flow.stages.map((stage, at) => {
        const join = joins.get(ownPoolOf(flow.name, stage.id));
        if (join === undefined || isElsewhere(stage.service)) return stage;
        const { join: before, ...rest } = stage;
        // What a first stage has without a join need not be drawn as one.
        const implied =
          join === null ||
          (before === undefined &&
            at === 0 &&
            binary !== undefined &&
            "pool" in join &&
            join.pool === placedOn(binary, stage.service).pool);
        return implied ? rest : { ...rest, join };
      }),
    })),
  };
}
