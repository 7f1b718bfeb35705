/** The last lines of an output, at most `limit` bytes of them, however much there was. */
export class OutputTail {
  private lines: string[] = [];
  private bytes = 0;
  private first = 0;

  constructor(private readonly limit: number) {}

  push(line: string): void {
    const kept = line.length > 16_384 ? `${line.slice(0, 16_384)}…` : line;
    this.lines.push(kept);
    this.bytes += kept.length + 1;
    while (this.bytes > this.limit && this.first < this.lines.length - 1) {
      this.bytes -= (this.lines[this.first]?.length ?? 0) + 1;
      this.first++;
    }
    // Cut off what was dropped now and then, not at every line.
    if (this.first > 1024 && this.first > this.lines.length / 2) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
    }
  }

  all(): string[] {
    return this.lines.slice(this.first);
  }
}
