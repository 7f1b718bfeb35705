/** How many crashes in how long end the restarts. */
export const CRASH_LIMIT = 3;
export const CRASH_WINDOW_MS = 30_000;

/** Decides whether a crashed binary is started again: the third crash within 30 s is the last. */
export class RestartPolicy {
  private crashes: number[] = [];

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts a crash; the milliseconds to wait before the restart, or null when there is none. */
  crashed(): number | null {
    const now = this.now();
    this.crashes = [...this.crashes.filter((at) => at > now - CRASH_WINDOW_MS), now];
    if (this.crashes.length >= CRASH_LIMIT) return null;
    return 200 * 2 ** (this.crashes.length - 1);
  }
}
