/** A function on a recorded stack, as perf names it. */
export interface RecordedFrame {
  name: string;
  kernel: boolean;
}

/** One look at a thread: its name, and what it was in, the innermost function first. */
export interface RecordedStack {
  thread: string;
  frames: RecordedFrame[];
}

/** perf's own bound is 127; a recording that says otherwise is cut. */
const DEEPEST = 256;
/** `models-1  9381 49235.091044:`, with an event's name behind it where perf was asked for more. */
const HEAD = /^(\S.*?)\s+\d+\s+\d+\.\d+:/;
const FRAME = /^\s+([0-9a-f]+) (.*)$/;
/** Addresses of the upper half are the kernel's. */
const KERNEL = /^ffff[0-9a-f]{12}$/;

/** The name without where it is from: ` (/lib/libc.so.6)`, ` ([kernel.kallsyms])`. */
function nameIn(rest: string): string {
  const from = Math.max(rest.lastIndexOf(" (/"), rest.lastIndexOf(" (["));
  return from > 0 ? rest.slice(0, from) : rest;
}

/** Puts stacks together from what `perf script` prints, line by line. What it does not know is left out. */
export class StackReader {
  private stack: RecordedStack | null = null;

  constructor(private readonly onStack: (stack: RecordedStack) => void) {}

  push(line: string): void {
    const frame = FRAME.exec(line);
    if (frame) {
      if (this.stack && this.stack.frames.length < DEEPEST)
        this.stack.frames.push({ name: nameIn(frame[2]!), kernel: KERNEL.test(frame[1]!) });
      return;
    }
    this.end();
    const head = HEAD.exec(line);
    if (head) this.stack = { thread: head[1]!, frames: [] };
  }

  /** There are no more lines. */
  end(): void {
    if (this.stack && this.stack.frames.length > 0) this.onStack(this.stack);
    this.stack = null;
  }
}
