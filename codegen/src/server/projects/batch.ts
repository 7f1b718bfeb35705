/** Gathers things for a moment and gives them on together; at most `most`, the newest, of a batch. */
export class Batch<T> {
  private items: T[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly everyMs: number,
    private readonly most: number,
    private readonly give: (items: T[], dropped: number) => void,
  ) {}

  add(item: T): void {
    this.items.push(item);
    // Twice the room, halved at once: dropping one by one would cost at every line of a flood.
    if (this.items.length >= this.most * 2) {
      this.dropped += this.items.length - this.most;
      this.items = this.items.slice(-this.most);
    }
    this.timer ??= setTimeout(() => this.flush(), this.everyMs);
  }

  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.items.length === 0) return;
    const kept = this.items.slice(-this.most);
    const dropped = this.dropped + this.items.length - kept.length;
    this.items = [];
    this.dropped = 0;
    this.give(kept, dropped);
  }
}
