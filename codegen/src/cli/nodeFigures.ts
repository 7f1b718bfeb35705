import { runningStages } from "../arrange/index.js";
import type { LiveSample, LiveSchema } from "../protocol/index.js";
import {
  callsOf,
  stagesOf,
  tracesOf,
  type CallFigures,
  type EventFigures,
  type StageFigures,
} from "./drawnFigures.js";
import { latencyOf, type Latency } from "./latency.js";
import { rate } from "./rate.js";

/** What a person reads about one node; rates are per second. */
export interface NodeFigures extends Latency {
  /** `service:GetAd`, `flow:Impressions`, `pool:ads-server/front`. */
  node: string;
  /** Pool that runs its first stage, else the calls to it; "" for flows. */
  pool: string;
  total: number;
  errors: number;
  callsPerSecond: number | null;
  errorsPerSecond: number | null;
  inFlight: number;
  /** Median time that events waited before it, the longest of its stages; null for what is no stage. */
  waitP50Us: number | null;
  /** How long a handler of it has kept its thread, by the watchdog, milliseconds; 0 while none is stuck. */
  stuckMs: number;
}
export interface PoolFigures {
  node: string;
  queued: number;
  threads: number;
  busy: number;
  blocked: number;
  /** Share of the threads' time spent working since the last sample, 0 to 1. */
  load: number | null;
  /** Requests that idle threads took from busy ones; null where the binary does not count them. */
  stolenPerSecond: number | null;
}
export interface Figures {
  binary: string;
  /** Milliseconds since the binary's start. */
  t: number;
  nodes: NodeFigures[];
  stages: StageFigures[];
  calls: CallFigures[];
  /** Sampled events that ended a moment ago; one may come again. */
  traces: EventFigures[];
  pools: PoolFigures[];
}

const byId = <T extends [id: number, ...rest: unknown[]]>(rows: readonly T[] | undefined): Map<number, T> =>
  new Map((rows ?? []).map((row) => [row[0], row]));

const busyNs = (sample: LiveSample | undefined, pool: number): number | undefined =>
  sample?.threads.filter(([id]) => id === pool).reduce((sum, [, , busy]) => sum + busy, 0);

/**
 * Forms figures from totals: the binary sends counts since its start, a rate is the difference to
 * an earlier sample over the time between them.
 */
export function figuresOf(schema: LiveSchema, sample: LiveSample, earlier?: LiveSample): Figures {
  const seconds = earlier === undefined ? 0 : (sample.t - earlier.t) / 1000;
  const services = byId(sample.services);
  const servicesBefore = byId(earlier?.services);
  const flows = byId(sample.flows);
  const flowsBefore = byId(earlier?.flows);
  const pools = byId(sample.pools);
  const poolsBefore = byId(earlier?.pools);
  const stuck = new Map<number, number>();
  for (const [, , service, forMs] of sample.stuck ?? [])
    stuck.set(service, Math.max(forMs, stuck.get(service) ?? 0));
  const poolNames = new Map(schema.pools.map(({ id, name }) => [id, name]));
  // A stage runs where its join says, or fused: the placement of its service counts for calls alone.
  const stagePools = new Map(
    runningStages(schema)
      .toReversed()
      .flatMap(({ service, pool }) => (pool === undefined ? [] : [[service, pool] as const])),
  );

  const stageRows = stagesOf(schema, sample, earlier, seconds);
  const waited = new Map<string, number>();
  for (const { service, wait } of stageRows)
    if (wait.p50Us !== null) waited.set(service, Math.max(wait.p50Us, waited.get(service) ?? 0));

  const flowRows = schema.flows.flatMap(({ id, name }): NodeFigures[] => {
    const row = flows.get(id);
    if (row === undefined) return [];
    const [, , completed, failed, , inFlight, ...latency] = row;
    const before = flowsBefore.get(id);
    return [
      {
        node: `flow:${name}`,
        pool: "",
        total: completed,
        errors: failed,
        callsPerSecond: rate(completed, before?.[2], seconds),
        errorsPerSecond: rate(failed, before?.[3], seconds),
        ...latencyOf(latency),
        inFlight,
        waitP50Us: null,
        stuckMs: 0,
      },
    ];
  });
  const serviceRows = schema.services.flatMap(({ id, name, pool }): NodeFigures[] => {
    const row = services.get(id);
    if (row === undefined) return [];
    const [, requests, errors, inFlight, , ...latency] = row;
    const before = servicesBefore.get(id);
    return [
      {
        node: `service:${name}`,
        pool: poolNames.get(stagePools.get(id) ?? pool) ?? "",
        total: requests,
        errors,
        callsPerSecond: rate(requests, before?.[1], seconds),
        errorsPerSecond: rate(errors, before?.[2], seconds),
        ...latencyOf(latency),
        inFlight,
        waitP50Us: waited.get(name) ?? null,
        stuckMs: stuck.get(id) ?? 0,
      },
    ];
  });
  const poolRows = schema.pools.flatMap(({ id, name }): PoolFigures[] => {
    const row = pools.get(id);
    // A join that was taken out leaves a pool without threads behind.
    if (row === undefined || row[3] === 0) return [];
    const [, queued, busy, threads, blocked, stolen] = row;
    const perSecond = rate(busyNs(sample, id) ?? 0, busyNs(earlier, id), seconds);
    const load = perSecond === null || threads === 0 ? null : Math.min(1, perSecond / 1e9 / threads);
    const stolenPerSecond = stolen === undefined ? null : rate(stolen, poolsBefore.get(id)?.[5], seconds);
    const node = `pool:${schema.binary}/${name}`;
    return [{ node, queued, threads, busy, blocked, load, stolenPerSecond }];
  });
  return {
    binary: schema.binary,
    t: sample.t,
    nodes: [...flowRows, ...serviceRows],
    stages: stageRows,
    calls: callsOf(schema, sample, earlier, seconds),
    traces: tracesOf(schema, sample),
    pools: poolRows,
  };
}
