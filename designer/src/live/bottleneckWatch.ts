import type { BinaryTrack } from "./binaryTrack.js";
import {
  findBottleneck,
  lastOnes,
  observe,
  runTime,
  type Bottleneck,
  type PoolObservation,
  type PoolWork,
} from "./bottleneck.js";

const LOOK_EVERY_MS = 1000;
const KEPT = 300;
/** Calls a second below which the difference of two rates is only noise. */
const CALLED = 1;

/** What runs on a pool: its stages in the order of their flows, and services that are called there. */
function workOn(track: BinaryTrack, pool: string): PoolWork[] {
  const stages = [...track.flows.values()].flatMap(({ figures }) =>
    figures.stages
      .filter((stage) => stage.runsOn === pool)
      .map(({ id, service, p50: whole, wait, rate, pool: join }, index): PoolWork => {
        const implementations = track.services.get(service)?.figures.implementations ?? [];
        const stage = { flow: figures.flow, id };
        const behindJoin = join !== null || index === 0;
        return { service, rate, implementations, stage, ...runTime(whole, wait.p50, behindJoin) };
      }),
  );
  const called = [...track.services.values()].flatMap(({ figures }): PoolWork[] => {
    if (figures.pool !== pool) return [];
    // A service counts what its stages do as well.
    const staged = [...track.flows.values()]
      .flatMap((flow) => flow.figures.stages)
      .filter((stage) => stage.service === figures.service);
    if (staged.length === 0) return [figures];
    const rate = figures.rate - staged.reduce((sum, stage) => sum + stage.rate, 0);
    return rate > CALLED ? [{ ...figures, rate }] : [];
  });
  return [...stages, ...called];
}

/** Looks at every pool once a second and keeps what it saw for five minutes. */
export class BottleneckWatch {
  private readonly seen = new Map<string, PoolObservation[]>();
  private readonly lastLook = new Map<string, number>();
  private readonly foundBy = new Map<string, Bottleneck[]>();
  found: readonly Bottleneck[] = [];

  look(track: BinaryTrack, cpus: number): void {
    const now = track.receivedAt;
    if (now - (this.lastLook.get(track.binary) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return;
    this.lastLook.set(track.binary, now);
    const found: Bottleneck[] = [];
    const kinds = new Map(track.schema?.services.map((service) => [service.name, service.kind]));
    for (const [pool, { figures }] of track.pools) {
      const services = workOn(track, pool);
      const done = services.reduce((sum, one) => sum + (Number.isNaN(one.rate) ? 0 : one.rate), 0);
      const key = `${track.binary}/${pool}`;
      const list = this.seen.get(key) ?? [];
      list.push(observe(now, figures, done));
      if (list.length > KEPT) list.shift();
      this.seen.set(key, list);
      const bottleneck = findBottleneck({
        binary: track.binary,
        pool,
        observations: list,
        services,
        exclusive: new Set(
          services.map((one) => one.service).filter((name) => kinds.get(name) === "single-threaded"),
        ),
        cpuUsed: figures.threads.reduce(
          (sum, one) => sum + (Number.isNaN(one.cpuShare) ? 0 : one.cpuShare),
          0,
        ),
        cpus,
      });
      if (bottleneck) found.push(bottleneck);
    }
    const flows = [...track.flows.values()].map((one) => one.figures);
    this.foundBy.set(track.binary, lastOnes(found, flows));
    this.found = [...this.foundBy.values()].flat();
  }

  drop(binary: string): void {
    for (const key of this.seen.keys()) if (key.startsWith(`${binary}/`)) this.seen.delete(key);
    this.lastLook.delete(binary);
    this.foundBy.delete(binary);
    this.found = [...this.foundBy.values()].flat();
  }

  clear(): void {
    this.seen.clear();
    this.lastLook.clear();
    this.foundBy.clear();
    this.found = [];
  }
}
