const WINDOW_MS = 100;
const BYTES_A_WINDOW = 128 * 1024;
/** Of a flood's end at least: what is said last is seldom longer, and a pipe cuts it where it will. */
const BYTES_KEPT = 64 * 1024;
const LINE_END = 0x0a;

/**
 * Lets the beginning and the end of a flood of output through. Reading a gigabyte costs little,
 * cutting it into lines that nobody can read costs a CPU: beyond 128 kB in 100 ms only the newest
 * 64 kB are kept, and given when the window ends, from the beginning of a line on. Never makes the
 * writer wait.
 */
export class OutputLimiter {
  private passed = 0;
  private newest: Buffer[] = [];
  private kept = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;

  /** @param pass what to read; `lost` is how many bytes before it were left out */
  constructor(private readonly pass: (chunk: Buffer, lost: number) => void) {}

  push(chunk: Buffer): void {
    this.timer ??= setTimeout(() => this.endWindow(), WINDOW_MS);
    this.passed += chunk.length;
    if (this.passed <= BYTES_A_WINDOW) return this.pass(chunk, 0);
    this.newest.push(chunk);
    this.kept += chunk.length;
    for (;;) {
      const oldest = this.newest[0]?.length ?? 0;
      if (this.newest.length < 2 || this.kept - oldest < BYTES_KEPT) return;
      this.newest.shift();
      this.kept -= oldest;
      this.dropped += oldest;
    }
  }

  /** The stream has ended: what is kept is passed at once. */
  end(): void {
    if (this.timer) clearTimeout(this.timer);
    this.endWindow();
  }

  private endWindow(): void {
    this.timer = null;
    this.passed = 0;
    const [end, lost] = [Buffer.concat(this.newest), this.dropped];
    this.newest = [];
    this.kept = 0;
    this.dropped = 0;
    if (end.length === 0) return;
    // The line that was cut into is left out as a whole, unless there is no other.
    const cut = lost === 0 ? 0 : end.indexOf(LINE_END) + 1;
    const from = cut === end.length ? 0 : cut;
    this.pass(end.subarray(from), lost === 0 ? 0 : lost + from);
  }
}
