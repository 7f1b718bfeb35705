import { runningStages } from "@penstock/codegen/arrange";
import { calledNames, liveRows, type LiveSample, type LiveSchema } from "@penstock/codegen/contract";
import type {
  FlowFigures,
  ImplementationFigures,
  PoolFigures,
  ProcessFigures,
  ServiceFigures,
  StageFigures,
  ThreadFigures,
} from "../figures/figures.js";
import { noLatency, setLatency } from "./latencyFigures.js";
import { noParts, OutcomeRates } from "./outcomeRates.js";
import { LinkTracks } from "./linkTracks.js";
import { isHole, Rate } from "./rate.js";
import { Ring } from "./ring.js";
import { pushAll, pushHole } from "./pushAll.js";
import { RanLately } from "./ranLately.js";
import { newSeries, SERIES_EVERY_MS, SERIES_LENGTH, type Series } from "./series.js";
import { takeParts } from "./takeParts.js";

interface Tracked<F> {
  figures: F;
  rates: Rate[];
  /** Of a pool: how many may wait in one process. */
  queue?: number;
  series?: Series;
  stages?: { rates: Rate[]; series: Series }[];
  /** Of a service, then of its implementations. */
  outcomes?: OutcomeRates[];
  /** Of a service's implementations. */
  ranLately?: RanLately[];
}

const rates = (count: number): Rate[] => Array.from({ length: count }, () => new Rate());

/**
 * Everything known about one running binary: figures now, and their recent past. Written by
 * `schema` and `sample` only; figures are changed in place, readers copy what they keep.
 */
export class BinaryTrack {
  schema: LiveSchema | null = null;
  /** performance.now() of the last sample (-1: none yet), and whether the server has lost the binary. */
  receivedAt = -1;
  lost = false;
  /** None of its processes lives, as far as is known. */
  ended = false;
  /** Samples the server left out because this page was slow. */
  skipped = 0;
  /** Wall clock of each second, in seconds since the epoch; NaN: a hole. Series share its index. */
  readonly times = new Ring(SERIES_LENGTH, true);
  readonly services = new Map<string, Tracked<ServiceFigures>>();
  readonly flows = new Map<string, Tracked<FlowFigures>>();
  readonly pools = new Map<string, Tracked<PoolFigures>>();
  /** Calls a second by "From>To". */
  readonly calls = new Map<string, { rate: number; errorRate: number; rates: Rate[] }>();
  readonly links = new LinkTracks();
  process: ProcessFigures | null = null;
  /** CPUs' worth of time, bytes of memory and threads in the three rings. */
  processSeries = newSeries();
  private lastT = 0;
  private lastWallMs = 0;
  private stepMs = Number.POSITIVE_INFINITY;
  private pushedAtMs = Number.NEGATIVE_INFINITY;
  private serviceOf = new Map<number, Tracked<ServiceFigures>>();
  private flowOf = new Map<number, Tracked<FlowFigures>>();
  private poolOf = new Map<number, Tracked<PoolFigures>>();
  private callOf = new Map<number, { rate: number; errorRate: number; rates: Rate[] }>();
  private cpu = new Rate();

  constructor(readonly binary: string) {}

  /** Takes new names. The same process (its pid) keeps its series; another starts afresh. */
  takeSchema(schema: LiveSchema): void {
    if (this.schema && this.schema.pid !== schema.pid) this.forget();
    this.schema = schema;
    const poolName = new Map(schema.pools.map((pool) => [pool.id, pool.name]));
    const serviceName = calledNames(schema);

    this.serviceOf = new Map();
    for (const service of schema.services) {
      const tracked = this.services.get(service.name) ?? {
        figures: {
          service: service.name,
          binary: this.binary,
          pool: "",
          rate: Number.NaN,
          errorRate: Number.NaN,
          inFlight: 0,
          unimplemented: 0,
          written: true,
          stuckMs: 0,
          implementations: [],
          ...noLatency(),
          ...noParts(),
        },
        rates: rates(2 + 2 * service.implementations.length),
        outcomes: Array.from({ length: 1 + service.implementations.length }, () => new OutcomeRates()),
        ranLately: service.implementations.map(() => new RanLately()),
        series: newSeries(),
      };
      tracked.figures.pool = poolName.get(service.pool) ?? "";
      tracked.figures.written = service.written;
      tracked.figures.implementations = service.implementations.map(
        (name, index): ImplementationFigures =>
          tracked.figures.implementations[index] ?? {
            name,
            rate: Number.NaN,
            errorRate: Number.NaN,
            ranLately: null,
            ...noLatency(),
            ...noParts(),
          },
      );
      this.services.set(service.name, tracked);
      this.serviceOf.set(service.id, tracked);
    }

    this.links.takeSchema(schema.links ?? []);
    this.callOf = new Map();
    for (const call of schema.calls) {
      const key = `${serviceName.get(call.from)}>${serviceName.get(call.to)}`;
      const tracked = this.calls.get(key) ?? { rate: Number.NaN, errorRate: Number.NaN, rates: rates(2) };
      this.calls.set(key, tracked);
      this.callOf.set(call.id, tracked);
    }

    this.flowOf = new Map();
    const runsOn = new Map(
      runningStages(schema).map(({ flow, index, pool }) => [
        `${flow}/${index}`,
        poolName.get(pool ?? -1) ?? "",
      ]),
    );
    for (const flow of schema.flows) {
      const before = this.flows.get(flow.name);
      const tracked: Tracked<FlowFigures> = before ?? {
        figures: {
          flow: flow.name,
          binary: this.binary,
          emitted: Number.NaN,
          completed: Number.NaN,
          failed: Number.NaN,
          dropped: Number.NaN,
          inFlight: 0,
          source: flow.source.kind,
          perSecond: null,
          stages: [],
          ...noLatency(),
        },
        rates: rates(4),
        series: newSeries(),
        stages: flow.stages.map(() => ({ rates: rates(4), series: newSeries() })),
      };
      tracked.figures.source = flow.source.kind;
      tracked.figures.perSecond = flow.source.perSecond;
      tracked.figures.stages = flow.stages.map((stage, index): StageFigures => ({
        ...(tracked.figures.stages[index] ?? {
          rate: Number.NaN,
          errorRate: Number.NaN,
          expired: Number.NaN,
          wait: noLatency(),
          run: noLatency(),
          fused: noLatency(),
          ...noLatency(),
        }),
        id: stage.id,
        service: serviceName.get(stage.service) ?? "",
        pool: stage.pool === null ? null : (poolName.get(stage.pool) ?? null),
        runsOn: runsOn.get(`${flow.id}/${index}`) ?? "",
      }));
      this.flows.set(flow.name, tracked);
      this.flowOf.set(flow.id, tracked);
    }

    this.poolOf = new Map();
    for (const pool of schema.pools) {
      const tracked: Tracked<PoolFigures> = this.pools.get(pool.name) ?? {
        figures: {
          pool: pool.name,
          binary: this.binary,
          threads: [],
          busy: 0,
          count: pool.threads.length,
          each: pool.threads.length,
          queued: 0,
          queue: pool.queue,
          blocked: 0,
          stolen: Number.NaN,
          load: Number.NaN,
          overflow: pool.overflow,
          idle: pool.idle,
          priority: pool.priority,
          adaptive: null,
        },
        rates: rates(1),
        series: newSeries(),
      };
      tracked.queue = pool.queue;
      const processes = this.process?.processes ?? 1;
      Object.assign(tracked.figures, {
        count: pool.threads.length * processes,
        each: pool.threads.length,
        queue: pool.queue * processes,
        overflow: pool.overflow,
        idle: pool.idle,
        priority: pool.priority,
        adaptive: pool.adaptive ?? null,
      });
      tracked.figures.threads = pool.threads.map((thread, index): ThreadFigures => {
        const before = tracked.figures.threads[index];
        const same = before?.tid === thread.tid ? before : undefined;
        return {
          busy: same?.busy ?? Number.NaN,
          cpuShare: same?.cpuShare ?? Number.NaN,
          switches: same?.switches ?? Number.NaN,
          cpu: same?.cpu ?? -1,
          stolen: same?.stolen ?? Number.NaN,
          ...thread,
        };
      });
      while (tracked.rates.length < 1 + 4 * pool.threads.length) tracked.rates.push(new Rate());
      this.pools.set(pool.name, tracked);
      this.poolOf.set(pool.id, tracked);
    }
    keepOnly(this.services, this.serviceOf);
    keepOnly(this.flows, this.flowOf);
    keepOnly(this.calls, this.callOf);
    keepOnly(this.pools, this.poolOf);
  }

  /** Takes figures. Rows with unknown ids (a schema is on its way) are left out. */
  takeSample(sample: LiveSample, receivedAt: number, wallMs: number): void {
    const { t } = sample;
    this.lost = this.ended = false;
    if (this.times.length > 0) {
      const stepMs = t - this.lastT;
      // The clock of `t` stands still while the machine sleeps.
      const asleepMs = wallMs - this.lastWallMs - stepMs;
      if (stepMs < 0 || isHole(Math.max(stepMs, asleepMs), this.stepMs)) this.breakSeries();
      else this.stepMs = stepMs;
    }
    this.lastT = t;
    this.lastWallMs = wallMs;
    this.receivedAt = receivedAt;

    for (const { id, requests, errors, inFlight, unimplemented, latency } of liveRows(sample, "services")) {
      const tracked = this.serviceOf.get(id);
      if (!tracked) continue;
      const { figures } = tracked;
      figures.rate = tracked.rates[0]!.push(t, requests);
      figures.errorRate = tracked.rates[1]!.push(t, errors);
      figures.inFlight = inFlight;
      figures.unimplemented = unimplemented;
      setLatency(figures, latency);
    }
    for (const { figures } of this.serviceOf.values()) figures.stuckMs = 0;
    for (const { service, forMs } of liveRows(sample, "stuck")) {
      const figures = this.serviceOf.get(service)?.figures;
      if (figures) figures.stuckMs = Math.max(figures.stuckMs, forMs);
    }
    for (const { service, index, requests, errors, latency } of liveRows(sample, "implementations")) {
      const tracked = this.serviceOf.get(service);
      const figures = tracked?.figures.implementations[index];
      if (!tracked || !figures) continue;
      figures.rate = tracked.rates[2 + 2 * index]?.push(t, requests) ?? Number.NaN;
      figures.errorRate = tracked.rates[3 + 2 * index]?.push(t, errors) ?? Number.NaN;
      setLatency(figures, latency);
    }
    for (const { id, count, errors } of liveRows(sample, "calls")) {
      const tracked = this.callOf.get(id);
      if (!tracked) continue;
      tracked.rate = tracked.rates[0]!.push(t, count);
      tracked.errorRate = tracked.rates[1]!.push(t, errors);
    }
    this.links.takeSample(sample);
    for (const row of liveRows(sample, "flows")) {
      const tracked = this.flowOf.get(row.id);
      if (!tracked) continue;
      const { figures } = tracked;
      figures.emitted = tracked.rates[0]!.push(t, row.emitted);
      figures.completed = tracked.rates[1]!.push(t, row.completed);
      figures.failed = tracked.rates[2]!.push(t, row.failed);
      figures.dropped = tracked.rates[3]!.push(t, row.dropped);
      figures.inFlight = row.inFlight;
      setLatency(figures, row.latency);
    }
    for (const { flow, index, count, errors, latency } of liveRows(sample, "stages")) {
      const tracked = this.flowOf.get(flow);
      const stage = tracked?.stages?.[index];
      const figures = tracked?.figures.stages[index];
      if (!stage || !figures) continue;
      figures.rate = stage.rates[0]!.push(t, count);
      figures.errorRate = stage.rates[1]!.push(t, errors);
      setLatency(figures, latency);
    }
    takeParts(
      sample,
      receivedAt,
      (id) => this.serviceOf.get(id),
      (id) => this.flowOf.get(id),
    );
    const { processes = 1 } = sample.process;
    for (const { id, queued, busy, threads, blocked, stolen: total } of liveRows(sample, "pools")) {
      const tracked = this.poolOf.get(id);
      if (!tracked) continue;
      const stolen = tracked.rates[0]!.push(t, total ?? Number.NaN);
      const each = Math.round(threads / processes);
      const queue = (tracked.queue ?? 0) * processes;
      Object.assign(tracked.figures, { queued, busy, count: threads, each, queue, blocked, stolen });
    }
    for (const row of liveRows(sample, "threads")) {
      const { index } = row;
      const tracked = this.poolOf.get(row.pool);
      const figures = tracked?.figures.threads[index];
      if (!tracked || !figures) continue;
      // Nanoseconds a second: 1e9 is all of the time.
      const [busyRate, cpuRate, switchRate, stolenRate] = tracked.rates.slice(1 + 4 * index, 5 + 4 * index);
      figures.busy = share(busyRate?.push(t, row.busyNs));
      figures.cpuShare = share(cpuRate?.push(t, row.cpuNs));
      figures.switches = switchRate?.push(t, row.voluntary + row.involuntary) ?? Number.NaN;
      figures.stolen = stolenRate?.push(t, row.stolen ?? Number.NaN) ?? Number.NaN;
      figures.cpu = row.cpu;
    }
    for (const { figures } of this.poolOf.values()) figures.load = loadOf(figures);
    this.process = {
      cpu: this.cpu.push(t, sample.process.cpuNs) / 1e9,
      rssBytes: sample.process.rssBytes,
      threads: sample.process.threads,
      processes,
      runtime: this.schema?.runtime ?? "",
      pid: this.schema?.pid ?? 0,
      startedAtMs: this.schema?.startedAtMs ?? 0,
      topologyHash: this.schema?.topologyHash ?? "",
    };
    if (Math.abs(wallMs - this.pushedAtMs) >= SERIES_EVERY_MS) this.pushSeries(wallMs);
  }

  /** Once a second for every series, named in the sample or not: all share the index of `times`. */
  private pushSeries(wallMs: number): void {
    this.pushedAtMs = wallMs;
    this.times.push(wallMs / 1000);
    pushAll(this);
  }

  /** A moment without values, so that curves are not drawn across a time nobody saw. */
  private breakSeries(): void {
    this.stepMs = Number.POSITIVE_INFINITY;
    this.pushedAtMs = Number.NEGATIVE_INFINITY;
    this.times.push(Number.NaN);
    pushHole(this);
  }

  private forget(): void {
    this.services.clear();
    this.flows.clear();
    this.pools.clear();
    this.calls.clear();
    this.links.clear();
    this.times.clear();
    this.process = null;
    this.processSeries = newSeries();
    this.cpu.reset();
    this.lastT = 0;
    this.stepMs = Number.POSITIVE_INFINITY;
    this.pushedAtMs = Number.NEGATIVE_INFINITY;
  }
}

/** What the names no longer have keeps no figures: a process that something else started was put in its place, say. */
function keepOnly<T>(known: Map<string, T>, named: ReadonlyMap<number, T>): void {
  const kept = new Set(named.values());
  for (const [name, tracked] of known) if (!kept.has(tracked)) known.delete(name);
}

const share = (nanosASecond: number | undefined): number =>
  nanosASecond === undefined ? Number.NaN : Math.min(1, nanosASecond / 1e9);

function loadOf(pool: PoolFigures): number {
  let sum = 0;
  let known = 0;
  for (const thread of pool.threads) {
    if (Number.isNaN(thread.busy)) continue;
    sum += thread.busy;
    known += 1;
  }
  return known > 0 ? sum / known : pool.count > 0 ? pool.busy / pool.count : Number.NaN;
}
