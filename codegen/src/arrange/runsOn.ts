import { liveRows, type LiveSample, type LiveSchema } from "../contract/index.js";

/** A stage of a running flow and where it runs. */
export interface RunningStage {
  flow: number;
  index: number;
  /** The flow's and the stage's name. */
  ref: { flow: string; stage: string };
  service: number;
  /** Pool id; undefined when it cannot be told. */
  pool: number | undefined;
  /** It runs on the thread of the stage before it. */
  fused: boolean;
}

/** Every stage with the pool that runs it, fused ones with that of the stage before. In order. */
export function runningStages(schema: LiveSchema): RunningStage[] {
  const poolOf = new Map(schema.services.map(({ id, pool }) => [id, pool]));
  return schema.flows.flatMap(({ id: flow, name, stages }) => {
    let before: number | undefined;
    return stages.map((stage, index): RunningStage => {
      const fused = stage.pool === null && index > 0;
      const pool = stage.pool ?? (fused ? before : poolOf.get(stage.service));
      before = pool;
      return { flow, index, ref: { flow: name, stage: stage.id }, service: stage.service, pool, fused };
    });
  });
}

/** What a pool has done and what waits for it, at one moment. */
export interface PoolReading {
  /** Milliseconds since the start of the process. */
  t: number;
  /** Events and calls served since then; of a binary that does not tell them apart, done. */
  done: number;
  queued: number;
  /** Callers held up by the full queue. */
  blocked: number;
  busy: number;
  threads: number;
  /** Whole events of the flows that go through it, else calls of the services on it; microseconds. */
  p99Us: number | null;
}

const most = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

/**
 * Reads a pool off a sample; undefined when it is not in it. A service counts what its stages do as well,
 * so that is taken off where the service is placed on the pool. O(rows).
 */
export function readPool(schema: LiveSchema, sample: LiveSample, pool: string): PoolReading | undefined {
  const id = schema.pools.find(({ name }) => name === pool)?.id;
  const row = liveRows(sample, "pools").find((one) => one.id === id);
  if (id === undefined || row === undefined) return undefined;
  const stages = runningStages(schema);
  // What expired, or was given up by its caller, is no work done.
  const counts = new Map([
    ...liveRows(sample, "stages").map(({ flow, index, count }) => [`${flow}/${index}`, count] as const),
    ...liveRows(sample, "stageOutcomes").map(
      ({ flow, index, served }) => [`${flow}/${index}`, served] as const,
    ),
  ]);
  const services = liveRows(sample, "services");
  const outcomes = liveRows(sample, "outcomes");
  const countOf = ({ flow, index }: RunningStage): number => counts.get(`${flow}/${index}`) ?? 0;
  const here = stages.filter((stage) => stage.pool === id);
  const called = schema.services
    .filter((service) => service.pool === id)
    .map((service) => {
      const requests =
        outcomes.find((row) => row.service === service.id && row.index === null)?.served ??
        services.find((row) => row.id === service.id)?.requests ??
        0;
      const staged = stages.filter((stage) => stage.service === service.id);
      return Math.max(0, requests - staged.reduce((sum, stage) => sum + countOf(stage), 0));
    });
  const flows = new Set(here.map(({ flow }) => flow));
  const onPool = new Set(schema.services.filter((service) => service.pool === id).map((one) => one.id));
  const { queued, busy, threads, blocked } = row;
  // Of several processes each has so many.
  const { processes = 1 } = sample.process;
  return {
    t: sample.t,
    done: [...here.map(countOf), ...called].reduce((sum, count) => sum + count, 0),
    queued: queued / processes,
    blocked: blocked / processes,
    busy: busy / processes,
    threads: Math.round(threads / processes),
    p99Us:
      most(liveRows(sample, "flows").map((row) => (flows.has(row.id) ? row.latency.p99 : null))) ??
      most(services.map((row) => (onPool.has(row.id) ? row.latency.p99 : null))),
  };
}
