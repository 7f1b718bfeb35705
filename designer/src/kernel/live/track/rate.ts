/** Length of the window over which a rate is formed: calm to read, and right within a second. */
export const RATE_WINDOW_MS = 1000;
/** Samples further apart than this are a hole: no rate is formed across it. */
export const GAP_MS = 2500;
const SLOTS = 16;

/** Whether a step of time is a hole. The past that a server kept is coarser: there a step is like the one before it. */
export const isHole = (stepMs: number, lastStepMs: number): boolean =>
  stepMs > Math.max(GAP_MS, 2.5 * lastStepMs);

/**
 * A rate per second from a counter that only grows, over about the last second. A counter that
 * falls (the process was restarted) and a hole in time start it anew: NaN until there are two
 * samples again.
 */
export class Rate {
  private readonly times = new Float64Array(SLOTS);
  private readonly totals = new Float64Array(SLOTS);
  private count = 0;
  /** Between the last two samples; the first step may be as long as it is. */
  private stepMs = Number.POSITIVE_INFINITY;

  /** `t` milliseconds on the process's own monotonic clock. Returns the rate now. */
  push(t: number, total: number): number {
    if (this.count > 0) {
      const last = (this.count - 1) % SLOTS;
      const lastTime = this.times[last] ?? 0;
      if (t <= lastTime && total === this.totals[last]) return this.value();
      if (t <= lastTime || isHole(t - lastTime, this.stepMs) || total < (this.totals[last] ?? 0))
        this.reset();
      else this.stepMs = t - lastTime;
    }
    this.times[this.count % SLOTS] = t;
    this.totals[this.count % SLOTS] = total;
    this.count += 1;
    return this.value();
  }

  /** Per second; NaN while unknown. */
  value(): number {
    if (this.count < 2) return Number.NaN;
    const newest = (this.count - 1) % SLOTS;
    const now = this.times[newest] ?? 0;
    let from = newest;
    for (let back = 1; back < Math.min(this.count, SLOTS); back++) {
      from = (this.count - 1 - back) % SLOTS;
      if (now - (this.times[from] ?? 0) >= RATE_WINDOW_MS) break;
    }
    const elapsed = now - (this.times[from] ?? 0);
    return elapsed > 0
      ? (((this.totals[newest] ?? 0) - (this.totals[from] ?? 0)) * 1000) / elapsed
      : Number.NaN;
  }

  reset(): void {
    this.count = 0;
    this.stepMs = Number.POSITIVE_INFINITY;
  }
}
