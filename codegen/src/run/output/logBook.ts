import type { LogLine } from "../../contract/index.js";

const LINES_KEPT = 2_000;
const BYTES_KEPT = 1_000_000;
const LONGEST_LINE = 4_096;

interface Ring {
  lines: LogLine[];
  bytes: number;
}

/**
 * The last lines of each binary of a project; bounded in lines and bytes whatever they print.
 * Numbers are given across binaries, so that readers can merge and notice gaps.
 */
export class LogBook {
  private readonly rings = new Map<string, Ring>();
  private seq = 0;

  /** @param onLine each line as it is kept */
  constructor(private readonly onLine: (line: LogLine) => void = () => undefined) {}

  add(binary: string, stream: LogLine["stream"], text: string, severity?: LogLine["severity"]): void {
    const cut = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
    const own = severity === undefined ? {} : { severity };
    const line: LogLine = { seq: ++this.seq, atMs: Date.now(), binary, stream, text: cut, ...own };
    const ring = this.rings.get(binary) ?? { lines: [], bytes: 0 };
    this.rings.set(binary, ring);
    ring.lines.push(line);
    ring.bytes += cut.length;
    let drop = 0;
    while (
      ring.lines.length - drop > LINES_KEPT ||
      (ring.bytes > BYTES_KEPT && drop < ring.lines.length - 1)
    ) {
      ring.bytes -= ring.lines[drop]?.text.length ?? 0;
      drop++;
    }
    if (drop > 0) ring.lines.splice(0, drop);
    this.onLine(line);
  }

  /** Kept lines in the order they came: of one binary, or of all. */
  lines(binary?: string): LogLine[] {
    if (binary !== undefined) return [...(this.rings.get(binary)?.lines ?? [])];
    return [...this.rings.values()].flatMap((ring) => ring.lines).sort((a, b) => a.seq - b.seq);
  }

  /** The newest lines a binary wrote to stderr, oldest first; of what it wrote, where that is one. */
  lastErrors(binary: string, count: number): string[] {
    const own = this.lines(binary).filter(({ stream }) => stream !== "penstock");
    const errors = own.filter(({ stream }) => stream === "stderr");
    return (errors.length > 0 ? errors : own).slice(-count).map(({ text }) => text);
  }
}
