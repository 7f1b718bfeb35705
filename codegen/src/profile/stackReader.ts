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
/** A name is as long as its binary's tables have it, and kept by the thousand. */
const LONGEST_NAME = 1_024;
/** A thread's name has 15 characters at most. */
const LONGEST_HEAD = 200;
/** `models-1  9381 49235.091044:`, with an event's name behind it where perf was asked for more. */
const HEAD = /^(\S.*?)\s+\d+\s+\d+\.\d+:/;
const FRAME = /^\s+([0-9a-f]+) (.*)$/;
/** Addresses of the upper half are the kernel's. */
const KERNEL = /^ffff[0-9a-f]{12}$/;

/** A text of its own: a part of another holds the whole of it in memory, here a piece of what perf printed. */
const copied = (text: string): string => Buffer.from(text).toString();

/** The name without where it is from: ` (/lib/libc.so.6)`, ` ([kernel.kallsyms])`. */
function nameIn(rest: string): string {
  const from = Math.max(rest.lastIndexOf(" (/"), rest.lastIndexOf(" (["));
  return copied((from > 0 ? rest.slice(0, from) : rest).slice(0, LONGEST_NAME));
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
    const head = HEAD.exec(line.slice(0, LONGEST_HEAD));
    if (head) this.stack = { thread: copied(head[1]!), frames: [] };
  }

  /** There are no more lines. */
  end(): void {
    if (this.stack && this.stack.frames.length > 0) this.onStack(this.stack);
    this.stack = null;
  }
}
