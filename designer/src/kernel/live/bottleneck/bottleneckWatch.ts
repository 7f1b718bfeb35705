import type { BinaryTrack } from "../track/binaryTrack.js";
import { findBottleneck, lastOnes, type Bottleneck } from "./bottleneck.js";
import { observe, poolWork, type PoolObservation } from "./poolWork.js";

const LOOK_EVERY_MS = 1000;
const KEPT = 300;
/** Looks at every pool once a second and keeps what it saw for five minutes. */
export class BottleneckWatch {
  private readonly seen = new Map<string, PoolObservation[]>();
  private readonly lastLook = new Map<string, number>();
  private readonly changedAt = new Map<string, number>();
  private readonly foundBy = new Map<string, Bottleneck[]>();
  found: readonly Bottleneck[] = [];

  look(track: BinaryTrack, cpus: number): void {
    const now = track.receivedAt;
    if (now - (this.lastLook.get(track.binary) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return;
    this.lastLook.set(track.binary, now);
    const found: Bottleneck[] = [];
    const kinds = new Map(track.schema?.services.map((service) => [service.name, service.kind]));
    for (const [pool, { figures }] of track.pools) {
      const services = poolWork(track, pool);
      const key = `${track.binary}/${pool}`;
      const list = this.seen.get(key) ?? [];
      list.push(observe(now, figures, services));
      if (list.length > KEPT) list.shift();
      this.seen.set(key, list);
      const bottleneck = findBottleneck({
        binary: track.binary,
        pool,
        observations: list,
        changedAtMs: this.changedAt.get(track.binary) ?? Number.NEGATIVE_INFINITY,
        services,
        exclusive: new Set(
          services.map((one) => one.service).filter((name) => kinds.get(name) === "single-threaded"),
        ),
        ...(figures.adaptive?.on ? { bounds: figures.adaptive } : {}),
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

  /** Something of a binary was changed: what was seen before says nothing of what is now. */
  changed(binary: string, atMs: number): void {
    this.changedAt.set(binary, atMs);
  }

  drop(binary: string): void {
    for (const key of this.seen.keys()) if (key.startsWith(`${binary}/`)) this.seen.delete(key);
    this.lastLook.delete(binary);
    this.changedAt.delete(binary);
    this.foundBy.delete(binary);
    this.found = [...this.foundBy.values()].flat();
  }

  clear(): void {
    this.seen.clear();
    this.lastLook.clear();
    this.changedAt.clear();
    this.foundBy.clear();
    this.found = [];
  }
}
