/**
 * The last `capacity` values of one series, oldest first. All series of a binary are written
 * together and share one time ring, so an index means the same moment in each; NaN is a hole.
 */
export class Ring {
  private readonly cells: Float64Array | Float32Array;
  private written = 0;

  /** `wide` keeps doubles (times, totals), else floats: half the memory, seven digits. */
  constructor(
    readonly capacity: number,
    wide = false,
  ) {
    this.cells = wide ? new Float64Array(capacity) : new Float32Array(capacity);
  }

  get length(): number {
    return Math.min(this.written, this.capacity);
  }

  push(value: number): void {
    this.cells[this.written % this.capacity] = value;
    this.written += 1;
  }

  /** `index` 0 is the oldest kept; NaN outside. */
  at(index: number): number {
    const length = this.length;
    if (index < 0 || index >= length) return Number.NaN;
    return this.cells[(this.written - length + index) % this.capacity] ?? Number.NaN;
  }

  /** The newest value, NaN when there is none. */
  last(): number {
    return this.at(this.length - 1);
  }

  /** The newest `count` values, oldest first, into a plain array. */
  tail(count: number): number[] {
    const length = this.length;
    const from = Math.max(0, length - count);
    const out: number[] = [];
    for (let index = from; index < length; index++) out.push(this.at(index));
    return out;
  }

  clear(): void {
    this.written = 0;
  }
}
