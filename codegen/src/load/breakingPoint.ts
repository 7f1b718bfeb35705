import type { BreakingPoint, LoadFault, LoadSecond, LoadSettings } from "../contract/index.js";
import { lastWholeStep, rateIn } from "./steps.js";

/** What the detector looks at. */
export type Measured = Pick<LoadSecond, "second" | "target" | "completed" | "failed" | "waiting"> & {
  /** Due but never made: a full queue held the source back. */
  skipped?: number;
};

/** Seconds of which the usual state is formed. */
const HISTORY = 60;
/** Over this many seconds completions have to make up for what was due before losses are forgiven. */
const MAKE_UP = 3;
/** So much less than due still counts as made up for: the resolution of a slow loss. */
const MAKE_UP_SHARE = 0.002;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/**
 * Finds the point from which a target no longer recovers (concor, 5.2.1.1: "if the fluctuations does
 * not stabilize within 15 seconds ... the last stable throughput is the breaking point").
 *
 * A second is held when as many events are done as were due, and neither the events that wait nor
 * those that were lost pile up beyond what is usual for this target. Piling up is what tells a
 * target that is a hair too slow from one that keeps up: its throughput alone looks the same. Losses are
 * summed over seconds for the same reason (cumulative sum test, Page 1954), and forgiven once the
 * target has kept up for three seconds.
 */
export class BreakingPointDetector {
  /** Share of a second's events that wait or are lost in seconds that were held: the usual state. */
  private readonly usualWaiting: number[] = [];
  private readonly usualLoss: number[] = [];
  private readonly recent: Measured[] = [];
  /** Since when the events that wait have been more than usual, whether or not within the tolerance. */
  private risingSince: number | null = null;
  private lost = 0;
  private trouble: { onset: number; fault: LoadFault; seconds: number } | null = null;
  private broken: BreakingPoint | null = null;
  private next = 0;

  constructor(private readonly settings: LoadSettings) {}

  /** Takes the next second; true when it was held. */
  take(measured: Measured): boolean {
    this.next = measured.second + 1;
    const fault = this.faultOf(measured);
    if (fault === null) {
      this.trouble = null;
      this.remember(measured);
      return true;
    }
    this.trouble ??= { onset: Math.min(this.risingSince ?? Infinity, measured.second), fault, seconds: 0 };
    this.trouble.seconds += 1;
    if (this.trouble.seconds >= this.settings.recoveryS) this.broken ??= this.pointAt(this.trouble);
    return false;
  }

  /** The target is gone: there is nothing to recover. */
  takeEnd(second: number): void {
    this.broken ??= this.pointAt(this.trouble ?? { onset: second, fault: "gone" });
  }

  get breakingPoint(): BreakingPoint | null {
    return this.broken;
  }

  /** The rate of the last step that was held to its end; null for none. */
  get heldPerSecond(): number | null {
    return lastWholeStep(this.settings, this.trouble?.onset ?? this.next);
  }

  private pointAt({ onset, fault }: { onset: number; fault: LoadFault }): BreakingPoint {
    return {
      perSecond: lastWholeStep(this.settings, onset),
      brokeAt: rateIn(this.settings, onset),
      second: onset,
      fault,
    };
  }

  private faultOf(now: Measured): LoadFault | null {
    const { target } = now;
    const room = this.settings.tolerance * target;
    this.recent.push(now);
    if (this.recent.length > MAKE_UP) this.recent.shift();
    this.sumLosses(now);
    const usual = median(this.usualWaiting) * target;
    const known = this.usualWaiting.length > 0;
    // A hundredth of a second's events, and one, is what a clock and a lone event make of a steady state.
    if (!known || now.waiting <= usual + 0.01 * target + 1) this.risingSince = null;
    else this.risingSince ??= now.second;
    const lostNow = now.failed + (now.skipped ?? 0);
    if (lostNow - median(this.usualLoss) * target > Math.max(1, room)) return "losses";
    if (now.completed < target - room - 1) return "throughput";
    if (this.lost > Math.max(1, room)) return "losses";
    if (known && now.waiting - usual > Math.max(1, room)) return "waiting";
    return null;
  }

  /** What was lost beyond the usual; forgotten when completions have made up for it. */
  private sumLosses(now: Measured): void {
    const usual = median(this.usualLoss) * now.target;
    // Nothing is usual yet: a share of failures that is there from the beginning must be learned first.
    if (this.usualLoss.length === 0) return;
    this.lost = Math.max(0, this.lost + now.failed + (now.skipped ?? 0) - usual);
    const due = this.recent.reduce((sum, { target }) => sum + target, 0);
    const done = this.recent.reduce((sum, { completed }) => sum + completed, 0);
    const usually = 1 - median(this.usualLoss) - MAKE_UP_SHARE;
    if (this.recent.length === MAKE_UP && done >= due * usually - 1) this.lost = 0;
  }

  private remember({ target, waiting, failed, skipped }: Measured): void {
    if (target <= 0) return;
    this.usualWaiting.push(waiting / target);
    this.usualLoss.push((failed + (skipped ?? 0)) / target);
    if (this.usualWaiting.length > HISTORY) this.usualWaiting.shift();
    if (this.usualLoss.length > HISTORY) this.usualLoss.shift();
  }
}
