import type { LogLine } from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";

/** Lines kept in the page; older ones are on the server. */
export const LOG_LINES = 5000;

export interface LogState {
  lines: LogLine[];
  /** Lines the server left out because they came too fast, plus those pushed out here. */
  dropped: number;
}
export const logStore = createStore<LogState>(() => ({ lines: [], dropped: 0 }));

let pending: LogLine[] = [];
let pendingDropped = 0;
let scheduled = false;

const flush = () => {
  scheduled = false;
  const added = pending;
  const skipped = pendingDropped;
  pending = [];
  pendingDropped = 0;
  logStore.setState(({ lines, dropped }) => {
    const all = merged(lines, added);
    return { lines: newestOf(all), dropped: dropped + skipped + pushedOutOf(all) };
  });
};

const newestOf = (all: LogLine[]): LogLine[] => (all.length > LOG_LINES ? all.slice(-LOG_LINES) : all);
const pushedOutOf = (all: readonly LogLine[]): number => Math.max(all.length - LOG_LINES, 0);

/** In the server's order, each line once: history asked for may come after newer lines. */
function merged(lines: readonly LogLine[], added: readonly LogLine[]): LogLine[] {
  const bySeq = new Map(lines.map((line) => [line.seq, line]));
  let newest = lines.at(-1)?.seq ?? -1;
  let ordered = true;
  for (const line of added) {
    if (!bySeq.has(line.seq) && line.seq < newest) ordered = false;
    bySeq.set(line.seq, line);
    newest = Math.max(newest, line.seq);
  }
  const all = [...bySeq.values()];
  return ordered ? all : all.toSorted((one, other) => one.seq - other.seq);
}

/** Adds lines at most once a frame: a binary that prints 100,000 lines a second costs one update. */
export function addLogs(lines: readonly LogLine[], dropped: number): void {
  for (const line of lines) pending.push(line);
  pendingDropped += dropped;
  // A page that nobody looks at draws no frame: what waits for one is bounded, too.
  if (pending.length > LOG_LINES) {
    const all = merged([], pending);
    pendingDropped += pushedOutOf(all);
    pending = newestOf(all);
  }
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(flush);
}

export function clearLogs(): void {
  pending = [];
  pendingDropped = 0;
  logStore.setState({ lines: [], dropped: 0 });
}
