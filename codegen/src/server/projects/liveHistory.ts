import type { LiveSample } from "../../contract/index.js";

/** A sample and when it came, by this machine's clock. */
export interface KeptSample {
  atMs: number;
  sample: LiveSample;
}

/**
 * The ranges of the charts, each with its own pace: 1, 5 and 15 minutes. What is older is known more
 * coarsely, as in RRDtool's archives; a range is drawn at its own pace, so that no curve changes its
 * grain on the way. The designer's `metricsRange.ts` draws at these paces or coarser ones.
 */
const TIERS = [
  { everyMs: 1000, forMs: 60_000 },
  { everyMs: 3000, forMs: 5 * 60_000 },
  { everyMs: 10_000, forMs: 15 * 60_000 },
] as const;
/** A little less than the pace: samples that come each second never come quite on time. */
const EARLY_MS = 100;
/** About three megabytes on the socket, five in memory: a drawing of more than 160 rows has a shorter past. */
const MOST_ROWS = 40_000;
const SAMPLES = TIERS.reduce((sum, { everyMs, forMs }) => sum + forMs / everyMs, 0);

/** The lists of rows that a sample has; what else stands in it is small. */
const rowsOf = (sample: LiveSample): number =>
  Object.values(sample).reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 1);

/** What the charts need of a sample; what one call or one event did is of the moment. */
function forCharts({ traces: _traces, stuck: _stuck, ...sample }: LiveSample): LiveSample {
  return { ...sample, implementations: [], calls: [] };
}

/** One pace: samples at least `everyMs` apart, the last `forMs` of them. */
class Tier {
  kept: KeptSample[] = [];
  private rows = 0;
  private readonly mostRows: number;

  constructor(
    readonly everyMs: number,
    readonly forMs: number,
  ) {
    this.mostRows = (MOST_ROWS * forMs) / everyMs / SAMPLES;
  }

  isDue(atMs: number): boolean {
    const last = this.kept.at(-1);
    return last === undefined || atMs - last.atMs >= this.everyMs - EARLY_MS;
  }

  add(one: KeptSample): void {
    this.kept.push(one);
    this.rows += rowsOf(one.sample);
    while (
      this.kept.length > 1 &&
      (this.rows > this.mostRows || one.atMs - (this.kept[0]?.atMs ?? 0) > this.forMs)
    ) {
      const dropped = this.kept.shift();
      if (dropped) this.rows -= rowsOf(dropped.sample);
    }
  }
}

/** The last quarter of an hour of a process, bounded in memory: what the charts of a page begin with. */
export class LiveHistory {
  private tiers: Tier[] = [];

  constructor() {
    this.clear();
  }

  add(sample: LiveSample, atMs: number): void {
    const due = this.tiers.filter((tier) => tier.isDue(atMs));
    if (due.length === 0) return;
    const one = { atMs, sample: forCharts(sample) };
    for (const tier of due) tier.add(one);
  }

  /** Oldest first, those from before `t` (milliseconds of the process) only, the finest that is known. */
  before(t: number): KeptSample[] {
    let oldest = Number.POSITIVE_INFINITY;
    const parts: KeptSample[][] = [];
    for (const { kept } of this.tiers) {
      parts.unshift(kept.filter(({ atMs, sample }) => atMs < oldest && sample.t < t));
      oldest = Math.min(oldest, kept[0]?.atMs ?? oldest);
    }
    return parts.flat();
  }

  /** Another process has another past. */
  clear(): void {
    this.tiers = TIERS.map(({ everyMs, forMs }) => new Tier(everyMs, forMs));
  }
}
