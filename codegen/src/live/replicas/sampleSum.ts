import {
  CELL_KINDS,
  LIVE_ROWS,
  ROW_NAMES,
  type Cell,
  type LiveSample,
  type LiveSchema,
  type RowName,
} from "../../contract/index.js";
import { type Named, RowNames } from "./rowNames.js";

type Value = number | null;
type Row = Value[];

/** What one process said last, and before that. */
interface Said {
  schema: LiveSchema;
  sample: LiveSample;
  before: LiveSample | undefined;
}

const rowsOf = (sample: LiveSample | undefined, name: RowName): readonly Row[] =>
  (sample?.[name] ?? []) as readonly Row[];

const cellAt = (cells: string, at: number): Cell => (cells[at] ?? "f") as Cell;
/** Of the one or two numbers (or null) that a row is of, below 2^20 each. */
function keyOf(cells: string, row: Row): number {
  const first = (row[0] ?? -1) + 1;
  return cells[1] === "k" ? first * 2 ** 20 + (row[1] ?? -1) + 1 : first;
}
const isCounted = (cell: Cell): boolean => cell === "c" || cell === "v";

/** How much each row did since the sample before, by its first counter. */
function doneSince(cells: string, row: Row, before: Row | undefined): number {
  const at = cells.indexOf("c");
  return at < 0 ? 0 : Math.max((row[at] ?? 0) - (before?.[at] ?? 0), 0);
}

/** Rows of a kind that are kept of what has ended: one that is started anew for ever, with other names, fills no memory. */
export const MOST_ENDED = 20_000;

/** What processes that have ended had counted in a row, and what it is of. */
interface Ended {
  row: Row;
  named: Named;
}

/**
 * The samples of all processes of a binary as one. Counters go on when a process is started anew: what the one
 * before had counted stays in them.
 */
export class SampleSum {
  private readonly said = new Map<number, Said>();
  private readonly ended = new Map<RowName, Map<string, Ended>>();
  private endedCpuNs = 0;

  /** @param count so many processes are meant to run */
  constructor(private count: number) {}

  /** So many processes are meant to run from now on: what is told as their mean begins anew, as it is one of others. */
  expect(count: number): void {
    this.count = count;
    for (const [name, rows] of this.ended) {
      const cells = CELL_KINDS[name];
      for (const ended of rows.values())
        ended.row = ended.row.map((value, at) => (cellAt(cells, at) === "v" ? 0 : value));
    }
    for (const said of this.said.values()) this.keep(said, -1, "v");
  }

  take(replica: number, schema: LiveSchema, sample: LiveSample): void {
    this.said.set(replica, { schema, sample, before: this.said.get(replica)?.sample });
  }

  /** Nothing comes from the process: what its last second was like says nothing about this one. */
  lose(replica: number): void {
    const said = this.said.get(replica);
    if (said !== undefined) this.said.set(replica, { ...said, sample: withoutLastSecond(said.sample) });
  }

  /** The process has ended. */
  end(replica: number): void {
    const last = this.said.get(replica);
    if (last === undefined) return;
    this.said.delete(replica);
    this.keep(last, 1);
  }

  /** What the process has counted so far is not counted here: a rate has no step when it comes. */
  join(schema: LiveSchema, sample: LiveSample): void {
    this.keep({ schema, sample, before: undefined }, -1);
  }

  /** Adds what a process has counted to what those have that are no more, or (-1) takes it away; `only` cells of one kind. */
  private keep(last: Said, sign: 1 | -1, only?: Cell): void {
    if (only === undefined) this.endedCpuNs += sign * last.sample.process.cpuNs;
    const names = RowNames.of(last.schema);
    for (const name of ROW_NAMES) {
      if (LIVE_ROWS[name].apart) continue;
      const cells = CELL_KINDS[name];
      const ended = this.ended.get(name) ?? new Map<string, Ended>();
      this.ended.set(name, ended);
      for (const row of rowsOf(last.sample, name)) {
        const named = names.named(name, row);
        if (named === undefined) continue;
        const key = JSON.stringify([named.what, named.part]);
        const before = ended.get(key)?.row;
        if (before === undefined && ended.size >= MOST_ENDED) continue;
        const counted = row.map((value, at) => {
          const cell = cellAt(cells, at);
          const counted = only === undefined || only === cell ? sign * (value ?? 0) : 0;
          if (isCounted(cell)) return counted + (before?.[at] ?? 0);
          return cell === "k" ? value : cell === "g" ? 0 : null;
        });
        ended.set(key, { row: counted, named });
      }
    }
  }

  /**
   * All of them, in the ids of `leader`, whose last sample it is told with. Its time and traces are the leader's, `startMs`
   * later.
   */
  sum(leader: number, startMs: number): LiveSample | undefined {
    const own = this.said.get(leader);
    if (own === undefined) return undefined;
    const { sample, schema } = own;
    const all = [own, ...[...this.said].filter(([replica]) => replica !== leader).map(([, said]) => said)];
    const leading = RowNames.of(schema);
    const summed: Partial<Record<RowName, Row[]>> = {};
    for (const name of ROW_NAMES) {
      if (all.every((said) => said.sample[name] === undefined) && !this.ended.get(name)?.size) continue;
      summed[name] = this.sumRows(name, all, leading);
    }
    const processes = all.map((said) => said.sample.process);
    const total = (key: "cpuNs" | "rssBytes" | "threads"): number =>
      processes.reduce((sum, process) => sum + process[key], 0);
    return {
      ...sample,
      ...(summed as Partial<LiveSample>),
      t: sample.t + startMs,
      ...(sample.traces === undefined
        ? {}
        : { traces: sample.traces.map((trace) => trace.with(1, trace[1] + startMs) as typeof trace) }),
      process: {
        cpuNs: total("cpuNs") + this.endedCpuNs,
        rssBytes: total("rssBytes"),
        threads: total("threads"),
        processes: all.length,
      },
    };
  }

  /** By names: two processes may number the same otherwise, pools that were made later, or all of another drawing. */
  private sumRows(name: RowName, all: readonly Said[], leading: RowNames): Row[] {
    const cells = CELL_KINDS[name];
    const { apart } = LIVE_ROWS[name];
    const found = new Map<number, { rows: Row[]; done: number[]; ended: Row | undefined }>();
    const after: Row[] = [];
    for (const { schema, sample, before } of all) {
      const rows = rowsOf(sample, name);
      const names = RowNames.of(schema);
      if (apart) {
        after.push(...rows.map((said) => leading.stuckInIds(said, names)).filter((row) => row !== undefined));
        continue;
      }
      const earlier = new Map(rowsOf(before, name).map((row) => [keyOf(cells, row), row]));
      for (const said of rows) {
        const named = names.named(name, said);
        const row = named && leading.inIds(name, said, named);
        if (row === undefined) continue;
        const key = keyOf(cells, row);
        let together = found.get(key);
        if (together === undefined) found.set(key, (together = { rows: [], done: [], ended: undefined }));
        together.rows.push(row);
        together.done.push(doneSince(cells, said, earlier.get(keyOf(cells, said))));
      }
    }
    if (apart) return after;
    for (const { row, named } of this.ended.get(name)?.values() ?? []) {
      const counted = leading.inIds(name, row, named);
      if (counted === undefined) continue;
      const key = keyOf(cells, counted);
      const together = found.get(key);
      if (together === undefined) found.set(key, { rows: [counted], done: [0], ended: undefined });
      else together.ended = counted;
    }
    return [...found.values()].map(({ rows, done, ended }) => {
      const width = Math.max(...rows.map(({ length }) => length));
      const row: Row = [];
      for (let at = 0; at < width; at++)
        row.push(this.sumCells(cellAt(cells, at), rows, at, done, ended?.[at] ?? 0));
      return row;
    });
  }

  private sumCells(
    cell: Cell,
    rows: readonly Row[],
    at: number,
    done: readonly number[],
    ended: number,
  ): Value {
    const first = rows[0]?.[at] ?? null;
    if (cell === "k" || cell === "f") return first;
    if (cell === "w") return weighted(rows, at, done);
    let sum = 0;
    let most: number | null = null;
    for (const row of rows) {
      const value = row[at] ?? null;
      if (value === null) continue;
      sum += value;
      most = most === null ? value : Math.max(most, value);
    }
    if (cell === "x") return most;
    if (cell === "g") return sum;
    return cell === "v" ? (sum + ended) / this.count : sum + ended;
  }
}

/** A sample without what is told of its last second alone; what is counted, and what there is, stays. */
function withoutLastSecond(sample: LiveSample): LiveSample {
  const rows = ROW_NAMES.filter((name) => sample[name] !== undefined && !LIVE_ROWS[name].apart).map(
    (name) => {
      const cells = CELL_KINDS[name];
      const isOfSecond = (at: number): boolean => ["w", "x"].includes(cellAt(cells, at));
      return [
        name,
        rowsOf(sample, name).map((row) => row.map((value, at) => (isOfSecond(at) ? null : value))),
      ];
    },
  );
  return { ...sample, ...(Object.fromEntries(rows) as Partial<LiveSample>) };
}

/** The mean of those that have a figure, by what each has done; of those that did nothing all alike. */
function weighted(rows: readonly Row[], at: number, done: readonly number[]): Value {
  let known = 0;
  let weights = 0;
  let sum = 0;
  let mean = 0;
  for (const [index, row] of rows.entries()) {
    const value = row[at] ?? null;
    if (value === null) continue;
    const weight = done[index] ?? 0;
    known += 1;
    sum += value;
    weights += weight;
    mean += value * weight;
  }
  if (known === 0) return null;
  return weights === 0 ? sum / known : mean / weights;
}
