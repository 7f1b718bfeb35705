/**
 * Says how long to stop reading: a program that sends as fast as it can would have all of our time, as every frame is read
 * and checked. Windows of `windowMs`, `bytes` in each.
 */
export class ByteBudget {
  private windowStart = Number.NEGATIVE_INFINITY;
  private taken = 0;

  constructor(
    private readonly bytes: number,
    private readonly windowMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds to wait after so many bytes; 0 as long as the window has some left. */
  take(bytes: number): number {
    const now = this.now();
    if (now - this.windowStart >= this.windowMs) {
      this.windowStart = now;
      this.taken = 0;
    }
    this.taken += bytes;
    return this.taken <= this.bytes ? 0 : this.windowStart + this.windowMs - now;
  }
}
