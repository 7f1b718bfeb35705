import { DEFAULT_POOL } from "../schema/builtIn.js";
import type { Binary, Flow, Join, Topology } from "../schema/schema.js";
import { threadCount } from "../schema/threads.js";
import { predecessorsOf } from "./flowValues.js";
import type { TopologyIndex } from "./indexTopology.js";

/** Where the calls to a service run in a binary. */
export interface RunsOn {
  pool: string;
  /** The one thread of the pool that serves it, when the placement names one. */
  thread?: number;
  /** Threads that may run it; undefined for the built-in pool (one for each CPU) and for unknown pools. */
  threads: number | undefined;
}

/** True when one of the binary's bundles has the service. */
export const serves = (topology: Topology, binary: Binary, service: string): boolean =>
  topology.bundles.some(({ name, services }) => services.includes(service) && binary.bundles.includes(name));

/** The pool (and thread) on which `binary` runs calls to `service`; undefined when it does not serve it. */
export function whereRuns(topology: Topology, binaryName: string, service: string): RunsOn | undefined {
  const binary = topology.binaries.find(({ name }) => name === binaryName);
  return binary !== undefined && serves(topology, binary, service) ? placedOn(binary, service) : undefined;
}

/** The same for a service that the binary is known to serve. O(pools). */
export function placedOn(binary: Binary, service: string): RunsOn {
  const placement = Object.hasOwn(binary.placement, service) ? binary.placement[service] : undefined;
  const pool = placement?.pool ?? DEFAULT_POOL;
  if (placement?.thread !== undefined) return { pool, thread: placement.thread, threads: 1 };
  return { pool, threads: threadsOf(binary, pool) };
}

/** Threads of a pool, the fewest where they come and go; undefined for the built-in pool and for unknown ones. */
export function threadsOf(binary: Binary, pool: string): number | undefined {
  const threads = binary.pools.find(({ name }) => name === pool)?.threads;
  return threads === undefined ? undefined : threadCount(threads);
}

/**
 * The binaries that run a stage of a flow: each that serves the flow, and for one that does not serve the stage's service the
 * first that does. They have the pool that its join names.
 */
export function binariesOfStage(
  { binariesOfFlow, binariesOfService }: Pick<TopologyIndex, "binariesOfFlow" | "binariesOfService">,
  flow: string,
  service: string,
): string[] {
  const serving = new Set(binariesOfService.get(service));
  const [first] = serving;
  const owners = binariesOfFlow.get(flow) ?? [];
  return [...new Set(owners.map((owner) => (serving.has(owner) ? owner : (first ?? owner))))];
}

/** Where each stage of a flow runs in a binary that serves it. */
export interface StageRunsOn {
  /** Every place it may run on: several behind a merge of branches that run apart. */
  places: readonly StagePlace[];
  /** False when it runs on the thread of the stage before it. */
  queued: boolean;
  /** Another binary runs it: these are the places that wait for its answer. */
  elsewhere: boolean;
}
export interface StagePlace {
  /** The drawn pool (one thread of it, when a placement names one), or the stage whose join has its own. */
  pool: { name: string; thread?: number } | { ownOf: string };
  /** Threads of the place; undefined: one for each CPU, or as many as needed. */
  threads: number | undefined;
}

/**
 * A stage with a join runs there; one without runs fused on the thread of the stage before it, the
 * first one on the pool of its service. `isElsewhere` knows the services that only other binaries
 * serve: the join of such a stage is for over there, and here it is as one without. O(stages * places).
 */
export function stagesRunOn(
  binary: Binary,
  flow: Flow,
  isElsewhere: (service: string) => boolean,
): StageRunsOn[] {
  const before = predecessorsOf(flow);
  const runs: StageRunsOn[] = [];
  flow.stages.forEach((stage, at) => {
    const elsewhere = isElsewhere(stage.service);
    const join = elsewhere ? undefined : stage.join;
    const previous = before[at] ?? [];
    if (join !== undefined) {
      runs.push({ places: [placeOfJoin(binary, stage.id, join)], queued: true, elsewhere });
    } else if (previous.length === 0) {
      const { pool: name, thread, threads } = placedOn(binary, stage.service);
      const pool = thread === undefined ? { name } : { name, thread };
      runs.push({ places: [{ pool, threads }], queued: true, elsewhere });
    } else {
      const places = previous.flatMap((stageBefore) => runs[stageBefore]?.places ?? []);
      runs.push({ places: unique(places), queued: false, elsewhere });
    }
  });
  return runs;
}

/** Where a binary runs the stage behind a join. */
export const placeOfJoin = (binary: Binary, stage: string, join: Join): StagePlace =>
  "pool" in join
    ? { pool: { name: join.pool }, threads: threadsOf(binary, join.pool) }
    : { pool: { ownOf: stage }, threads: join.threads === "cached" ? undefined : join.threads };

function unique(places: readonly StagePlace[]): StagePlace[] {
  const seen = new Map<string, StagePlace>();
  for (const place of places) seen.set(JSON.stringify(place), place);
  return [...seen.values()];
}
