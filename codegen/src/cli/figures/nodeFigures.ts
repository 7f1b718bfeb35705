import { runningStages } from "../../arrange/index.js";
import {
  liveRows,
  type LiveSample,
  type LiveSchema,
  type PoolAdapting,
  type PresetRuling,
} from "../../contract/index.js";
import {
  callsOf,
  linksOf,
  stagesOf,
  tracesOf,
  type CallFigures,
  type EventFigures,
  type LinkFigures,
  type StageFigures,
} from "./drawnFigures.js";
import { byId, latencyOf, rate, type Latency } from "./cells.js";

/** What a person reads about one node; rates are per second. */
export interface NodeFigures extends Latency {
  /** `service:GetAd`, `flow:Impressions`, `pool:ads-server/front`. */
  node: string;
  /** Pool that runs its first stage, else the calls to it; "" for flows. */
  pool: string;
  total: number;
  errors: number;
  /** Requests served; of a binary that does not tell them apart, done. */
  callsPerSecond: number | null;
  errorsPerSecond: number | null;
  /** Done without being served; null for flows, and where the binary does not tell them apart. */
  expiredPerSecond: number | null;
  skippedPerSecond: number | null;
  refusedPerSecond: number | null;
  inFlight: number;
  /** Median times that requests waited (else that of its stage which waits longest) and ran; null for flows. */
  waitP50Us: number | null;
  runP50Us: number | null;
  implementations: ImplementationFigures[];
  /** How long a handler of it has kept its thread, by the watchdog, milliseconds; 0 while none is stuck. */
  stuckMs: number;
}
/** Of a service that has several. */
export interface ImplementationFigures {
  name: string;
  callsPerSecond: number | null;
  expiredPerSecond: number | null;
  skippedPerSecond: number | null;
  refusedPerSecond: number | null;
  waitP50Us: number | null;
  runP50Us: number | null;
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
  /** Null: its threads stay. */
  adaptive: PoolAdapting | null;
}
export interface Figures {
  binary: string;
  /** Something else started it. */
  attached?: true;
  /** Milliseconds since the binary's start. */
  t: number;
  nodes: NodeFigures[];
  stages: StageFigures[];
  calls: CallFigures[];
  links: LinkFigures[];
  /** Sampled events that ended a moment ago; one may come again. */
  traces: EventFigures[];
  pools: PoolFigures[];
  /** Rules that bring presets into force by themselves. */
  rules: PresetRuling[];
}

const byPart = <Row extends { service: number; index: number | null }>(
  rows: readonly Row[],
): Map<string, Row> => new Map(rows.map((row) => [`${row.service}/${row.index ?? ""}`, row]));

/** How requests ended, waited and ran, by service (index "") and implementation. */
function partsOf(sample: LiveSample, earlier: LiveSample | undefined, seconds: number) {
  const ends = byPart(liveRows(sample, "outcomes"));
  const endsBefore = byPart(liveRows(earlier, "outcomes"));
  const waits = byPart(liveRows(sample, "serviceWaits"));
  const runs = byPart(liveRows(sample, "serviceRuns"));
  return (service: number, index: number | "") => {
    const key = `${service}/${index}`;
    const end = ends.get(key);
    const before = endsBefore.get(key);
    const perSecond = (cell: "served" | "expired" | "skipped" | "refused"): number | null =>
      end ? rate(end[cell], before?.[cell], seconds) : null;
    return {
      known: end !== undefined,
      callsPerSecond: perSecond("served"),
      expiredPerSecond: perSecond("expired"),
      skippedPerSecond: perSecond("skipped"),
      refusedPerSecond: perSecond("refused"),
      waitP50Us: waits.get(key)?.latency.p50 ?? null,
      runP50Us: runs.get(key)?.latency.p50 ?? null,
    };
  };
}

const busyNsOf = (sample: LiveSample, pool: number): number =>
  liveRows(sample, "threads").reduce((sum, row) => sum + (row.pool === pool ? row.busyNs : 0), 0);

const implementationsOf = (
  names: readonly string[],
  partOf: (index: number) => { known: boolean } & Omit<ImplementationFigures, "name">,
): ImplementationFigures[] =>
  names.length < 2
    ? []
    : names.flatMap((name, index) => {
        const { known, ...part } = partOf(index);
        return known ? [{ name, ...part }] : [];
      });

/**
 * Forms figures from totals: the binary sends counts since its start, a rate is the difference to
 * an earlier sample over the time between them.
 */
export function figuresOf(schema: LiveSchema, sample: LiveSample, earlier?: LiveSample): Figures {
  const seconds = earlier === undefined ? 0 : (sample.t - earlier.t) / 1000;
  const services = byId(liveRows(sample, "services"));
  const servicesBefore = byId(liveRows(earlier, "services"));
  const flows = byId(liveRows(sample, "flows"));
  const flowsBefore = byId(liveRows(earlier, "flows"));
  const pools = byId(liveRows(sample, "pools"));
  const poolsBefore = byId(liveRows(earlier, "pools"));
  const stuck = new Map<number, number>();
  for (const { service, forMs } of liveRows(sample, "stuck"))
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
    const { completed, failed, inFlight, latency } = row;
    const before = flowsBefore.get(id);
    return [
      {
        node: `flow:${name}`,
        pool: "",
        total: completed,
        errors: failed,
        callsPerSecond: rate(completed, before?.completed, seconds),
        errorsPerSecond: rate(failed, before?.failed, seconds),
        expiredPerSecond: null,
        skippedPerSecond: null,
        refusedPerSecond: null,
        ...latencyOf(latency),
        inFlight,
        waitP50Us: null,
        runP50Us: null,
        implementations: [],
        stuckMs: 0,
      },
    ];
  });
  const partOf = partsOf(sample, earlier, seconds);
  const serviceRows = schema.services.flatMap(({ id, name, pool, implementations }): NodeFigures[] => {
    const row = services.get(id);
    if (row === undefined) return [];
    const { requests, errors, inFlight, latency } = row;
    const before = servicesBefore.get(id);
    const { known, ...part } = partOf(id, "");
    return [
      {
        node: `service:${name}`,
        pool: poolNames.get(stagePools.get(id) ?? pool) ?? "",
        total: requests,
        errors,
        ...part,
        callsPerSecond: known ? part.callsPerSecond : rate(requests, before?.requests, seconds),
        errorsPerSecond: rate(errors, before?.errors, seconds),
        ...latencyOf(latency),
        inFlight,
        waitP50Us: part.waitP50Us ?? waited.get(name) ?? null,
        implementations: implementationsOf(implementations, (index) => partOf(id, index)),
        stuckMs: stuck.get(id) ?? 0,
      },
    ];
  });
  const poolRows = schema.pools.flatMap(({ id, name, adaptive = null }): PoolFigures[] => {
    const row = pools.get(id);
    // A join that was taken out leaves a pool without threads behind.
    if (row === undefined || row.threads === 0) return [];
    const { queued, busy, threads, blocked, stolen } = row;
    const perSecond = rate(busyNsOf(sample, id), earlier && busyNsOf(earlier, id), seconds);
    const load = perSecond === null || threads === 0 ? null : Math.min(1, perSecond / 1e9 / threads);
    const stolenPerSecond = stolen === undefined ? null : rate(stolen, poolsBefore.get(id)?.stolen, seconds);
    const node = `pool:${schema.binary}/${name}`;
    return [{ node, queued, threads, busy, blocked, load, stolenPerSecond, adaptive }];
  });
  return {
    binary: schema.binary,
    t: sample.t,
    nodes: [...flowRows, ...serviceRows],
    stages: stageRows,
    calls: callsOf(schema, sample, earlier, seconds),
    links: linksOf(schema, sample, earlier, seconds),
    traces: tracesOf(schema, sample),
    pools: poolRows,
    rules: [...(schema.rules ?? [])],
  };
}
