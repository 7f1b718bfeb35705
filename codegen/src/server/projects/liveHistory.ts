import type { LiveSample } from "../../protocol/index.js";

/** A sample and when it came, by this machine's clock. */
export interface KeptSample {
  atMs: number;
  sample: LiveSample;
}

const EVERY_MS = 1000;
const LONGEST_MS = 120_000;
/** About a megabyte on the socket: a drawing of hundreds of services has a shorter past. */
const MOST_ROWS = 20_000;

/** The lists of rows that a sample has; what else stands in it is small. */
const rowsOf = (sample: LiveSample): number =>
  Object.values(sample).reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 1);

/** The last two minutes of a process, a sample a second: what the charts of a page begin with. */
export class LiveHistory {
  private kept: KeptSample[] = [];
  private rows = 0;

  add(sample: LiveSample, atMs: number): void {
    const last = this.kept.at(-1);
    // A little less than a second: samples that come each second never come quite on time.
    if (last && atMs - last.atMs < EVERY_MS * 0.9) return;
    this.kept.push({ atMs, sample });
    this.rows += rowsOf(sample);
    while (this.kept.length > 1 && (this.rows > MOST_ROWS || atMs - (this.kept[0]?.atMs ?? 0) > LONGEST_MS)) {
      const dropped = this.kept.shift();
      if (dropped) this.rows -= rowsOf(dropped.sample);
    }
  }

  /** Oldest first, those from before `t` (milliseconds of the process) only. */
  before(t: number): KeptSample[] {
    return this.kept.filter(({ sample }) => sample.t < t);
  }

  /** Another process has another past. */
  clear(): void {
    this.kept = [];
    this.rows = 0;
  }
}
