import type { BinaryTrack } from "../track/binaryTrack.js";
import { typical } from "./poolWork.js";

/** For how long it says how long an implementation runs now. */
const KEPT_MS = 60_000;

/**
 * How long each implementation ran when a sample of it was seen last: figures are those of one second, and there are
 * seconds without a sample of the slow one among several, which is the one that holds the threads.
 */
export class LastRuns {
  private readonly seen = new Map<string, { micros: number; atMs: number }>();

  take(track: BinaryTrack): void {
    for (const [service, { figures }] of track.services) {
      for (const { name, run } of figures.implementations) {
        const micros = typical(run);
        if (micros !== null) this.seen.set(keyOf(service, name), { micros, atMs: track.receivedAt });
      }
    }
  }

  /** Microseconds; null: nothing was seen in the last minute. */
  of(track: BinaryTrack, service: string, implementation: string): number | null {
    const last = this.seen.get(keyOf(service, implementation));
    return last !== undefined && track.receivedAt - last.atMs <= KEPT_MS ? last.micros : null;
  }
}

const keyOf = (service: string, implementation: string): string => `${service}/${implementation}`;
