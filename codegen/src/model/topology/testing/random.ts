/** A small seeded generator (mulberry32): the same seed gives the same numbers everywhere. */
export class Random {
  constructor(private state: number) {}

  /** 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
  list<T>(most: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, at) => make(at));
  }
}

/** A seed for one run of a test, printed by it on failure; `PENSTOCK_SEED` repeats a run. */
export const seedOf = (given: string | undefined): number =>
  given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
