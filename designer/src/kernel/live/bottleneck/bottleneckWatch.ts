import type { BinaryTrack } from "../track/binaryTrack.js";
import type { PoolFigures, ThreadFigures } from "../figures/figures.js";
import { findBottleneck, lastOnes, type Bottleneck, type PoolHistory } from "./bottleneck.js";
import { findLinkBottleneck, type LinkHistory, type LinkObservation } from "./linkBottleneck.js";
import { NOWHERE, type ThreadPlaces } from "../names/threadPlaces.js";
import { observe, observeThread, poolWork, type PoolObservation, type PoolWork } from "./poolWork.js";

const LOOK_EVERY_MS = 1000;
const KEPT = 300;

/** Looks at every pool, at threads that something is placed on and at the ways to other binaries, once a second and keeps what it saw for five minutes. */
export class BottleneckWatch {
  private readonly seen = new Map<string, PoolObservation[]>();
  private readonly seenLinks = new Map<string, LinkObservation[]>();
  private readonly lastLook = new Map<string, number>();
  private readonly changedAt = new Map<string, number>();
  private readonly foundBy = new Map<string, Bottleneck[]>();
  found: readonly Bottleneck[] = [];

  /**
   * `placesOf` says what is placed on one thread of a pool, `trackOf` what is known of another binary, `silentOf` how many of
   * its processes do not answer.
   */
  look(
    track: BinaryTrack,
    cpus: number,
    placesOf: () => ThreadPlaces = () => NOWHERE,
    trackOf: (binary: string) => BinaryTrack | undefined = () => undefined,
    silentOf: (binary: string) => LinkHistory["silent"] = () => ({ processes: 0, of: 1 }),
  ): void {
    const now = track.receivedAt;
    if (now - (this.lastLook.get(track.binary) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return;
    this.lastLook.set(track.binary, now);
    const found: Bottleneck[] = [];
    const places = placesOf();
    const kinds = new Map(track.schema?.services.map((service) => [service.name, service.kind]));
    const changedAtMs = this.changedAt.get(track.binary) ?? Number.NEGATIVE_INFINITY;
    const processes = track.process?.processes ?? 1;
    for (const [pool, { figures }] of track.pools) {
      const services = poolWork(track, pool, places);
      const single = services
        .map((one) => one.service)
        .filter((name) => kinds.get(name) === "single-threaded");
      const history = (
        observed: PoolObservation,
        threads: readonly ThreadFigures[],
        part: Partial<PoolHistory>,
      ): PoolHistory => ({
        binary: track.binary,
        pool,
        observations: kept(this.seen, `${track.binary}/${pool}/${part.thread?.index ?? ""}`, observed),
        changedAtMs,
        services,
        exclusive: new Set(single),
        cpuUsed: processes * threads.reduce((sum, one) => sum + known(one.cpuShare), 0),
        processes,
        cpus,
        ...part,
      });
      const whole = findBottleneck(
        history(
          observe(now, figures, services),
          figures.threads,
          figures.adaptive?.on ? { bounds: figures.adaptive } : {},
        ),
      );
      const ofThreads = placedThreads(figures, services).flatMap(([index, work]) => {
        const one = figures.threads[index];
        if (!one) return [];
        const others = figures.threads.flatMap(({ busy }, at) =>
          at === index ? [] : [{ index: at, load: known(busy) }],
        );
        const bottleneck = findBottleneck(
          history(observeThread(now, figures, index, work), [one], {
            services: work,
            exclusive: new Set(single.filter((name) => !places.get(name)?.partitioned)),
            thread: { index, others },
          }),
        );
        return bottleneck && work.some(waitsLong) ? [bottleneck] : [];
      });
      // More threads are of no use to what may not run on them.
      const bound = ofThreads.length > 0 && services.every(({ placed }) => placed !== undefined);
      found.push(...(whole && !bound ? [whole] : ofThreads));
    }
    const ways: Bottleneck[] = [];
    for (const { binary: to, open, waiting } of track.links.all) {
      const there = trackOf(to);
      const link = findLinkBottleneck({
        binary: track.binary,
        to,
        isKnown: there !== undefined && !there.lost,
        silent: silentOf(to),
        observations: kept(this.seenLinks, `${track.binary}/${to}`, { atMs: now, open, waiting }),
        changedAtMs,
        ...askedThere(track, there),
      });
      // Whoever is full over there says so.
      if (link && !this.foundBy.get(there?.binary ?? to)?.some((one) => one.link === undefined))
        ways.push(link);
    }
    const flows = [...track.flows.values()].map((one) => one.figures);
    const before = this.foundBy.get(track.binary);
    const last = [...lastOnes(found, flows), ...ways];
    this.foundBy.set(track.binary, last);
    // Who shows them looks anew where the list is another one.
    if (last.length > 0 || (before?.length ?? 0) > 0) this.found = [...this.foundBy.values()].flat();
  }

  /** Something of a binary was changed: what was seen before says nothing of what is now. */
  changed(binary: string, atMs: number): void {
    this.changedAt.set(binary, atMs);
  }

  drop(binary: string): void {
    for (const seen of [this.seen, this.seenLinks])
      for (const key of seen.keys()) if (key.startsWith(`${binary}/`)) seen.delete(key);
    this.lastLook.delete(binary);
    this.changedAt.delete(binary);
    this.foundBy.delete(binary);
    this.found = [...this.foundBy.values()].flat();
  }

  clear(): void {
    this.seen.clear();
    this.seenLinks.clear();
    this.lastLook.clear();
    this.changedAt.clear();
    this.foundBy.clear();
    this.found = [];
  }
}

/** What was seen of a pool, a thread or a link, with what is seen now. */
function kept<Look>(seen: Map<string, Look[]>, key: string, now: Look): readonly Look[] {
  const list = seen.get(key) ?? [];
  list.push(now);
  if (list.length > KEPT) list.shift();
  seen.set(key, list);
  return list;
}

/** What a binary asks of another one: the services there that it calls, and its stages that run there. */
function askedThere(
  { calls, flows, services }: BinaryTrack,
  there: BinaryTrack | undefined,
): Pick<LinkHistory, "services" | "stages" | "pools"> {
  const isThere = (service: string): boolean =>
    !services.has(service) && (there?.services.has(service) ?? true);
  const called = [...calls.keys()].map((key) => key.slice(key.indexOf(">") + 1));
  const stages = [...flows.values()].flatMap(({ figures: { flow, stages } }) =>
    stages.filter(({ service }) => isThere(service)).map(({ id }) => ({ flow, id })),
  );
  const asked = [...new Set(called.filter(isThere))];
  const run = [
    ...asked,
    ...[...flows.values()].flatMap(({ figures }) => figures.stages.map((one) => one.service)),
  ];
  const pools = new Set(run.flatMap((service) => there?.services.get(service)?.figures.pool ?? []));
  return { services: asked, stages, pools: [...pools] };
}

const known = (share: number): number => (Number.isNaN(share) ? 0 : share);

/** Threads that have work placed on them alone, with that work, where the pool has others. */
function placedThreads({ each }: PoolFigures, services: readonly PoolWork[]): [number, PoolWork[]][] {
  if (each < 2) return [];
  const threads = new Set(services.flatMap(({ placed }) => (placed ? [placed.thread] : [])));
  return [...threads].map((index) => [index, services.filter(({ placed }) => placed?.thread === index)]);
}

/** The queue is told of the whole pool: what waits for a full thread waits for longer than it runs. */
const waitsLong = ({ waitMicros, runMicros }: PoolWork): boolean =>
  waitMicros === null || waitMicros > (runMicros ?? 0);
