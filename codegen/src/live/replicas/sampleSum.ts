import {
  LIVE_ROWS,
  ROW_NAMES,
  type Cell,
  type LiveSample,
  type LiveSchema,
  type RowName,
} from "../../contract/index.js";

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
const keyOf = (cells: string, row: Row): string => row.filter((_, at) => cellAt(cells, at) === "k").join(",");
const isCounted = (cell: Cell): boolean => cell === "c" || cell === "v";

/** How much each row did since the sample before, by its first counter. */
function doneSince(cells: string, row: Row, before: Row | undefined): number {
  const at = cells.indexOf("c");
  return at < 0 ? 0 : Math.max((row[at] ?? 0) - (before?.[at] ?? 0), 0);
}

/**
 * The samples of all processes of a binary as one. Counters go on when a process is started anew: what the one
 * before had counted stays in them.
 */
export class SampleSum {
  private readonly said = new Map<number, Said>();
  /** What processes that have ended had counted, by the name and key of the row. */
  private readonly ended = new Map<string, Row>();
  private endedCpuNs = 0;

  /** @param count so many processes are meant to run */
  constructor(private readonly count: number) {}

  take(replica: number, schema: LiveSchema, sample: LiveSample): void {
    this.said.set(replica, { schema, sample, before: this.said.get(replica)?.sample });
  }

  /** The process has ended. */
  end(replica: number): void {
    const last = this.said.get(replica);
    if (last === undefined) return;
    this.said.delete(replica);
    this.endedCpuNs += last.sample.process.cpuNs;
    for (const name of ROW_NAMES) {
      const { cells } = LIVE_ROWS[name];
      if (cells === undefined) continue;
      for (const row of rowsOf(last.sample, name)) {
        const key = `${name} ${keyOf(cells, row)}`;
        const before = this.ended.get(key);
        const counted = row.map((value, at) =>
          isCounted(cellAt(cells, at)) ? (value ?? 0) + (before?.[at] ?? 0) : 0,
        );
        this.ended.set(key, counted);
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
    const summed: Partial<Record<RowName, Row[]>> = {};
    for (const name of ROW_NAMES) {
      if (all.every((said) => said.sample[name] === undefined)) continue;
      summed[name] = this.sumRows(name, all, schema);
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

  private sumRows(name: RowName, all: readonly Said[], leader: LiveSchema): Row[] {
    const { cells, of } = LIVE_ROWS[name];
    if (cells === undefined) return all.flatMap(({ sample }) => rowsOf(sample, name));
    const found = new Map<string, { rows: Row[]; done: number[] }>();
    for (const { schema, sample, before } of all) {
      const earlier = new Map(rowsOf(before, name).map((row) => [keyOf(cells, row), row]));
      const idOf = of === "pool" ? poolIds(schema, leader) : undefined;
      for (const said of rowsOf(sample, name)) {
        const id = idOf === undefined ? said[0] : idOf(said[0] ?? -1);
        if (id === undefined) continue;
        const row = said.with(0, id);
        const key = keyOf(cells, row);
        const together = found.get(key) ?? { rows: [], done: [] };
        found.set(key, together);
        together.rows.push(row);
        together.done.push(doneSince(cells, said, earlier.get(keyOf(cells, said))));
      }
    }
    return [...found].map(([key, { rows, done }]) => {
      const ended = this.ended.get(`${name} ${key}`);
      const width = Math.max(...rows.map(({ length }) => length));
      return Array.from({ length: width }, (_, at) => {
        const values = rows.map((row) => row[at] ?? null);
        return this.sumCells(cellAt(cells, at), values, done, ended?.[at] ?? 0);
      });
    });
  }

  private sumCells(cell: Cell, values: readonly Value[], done: readonly number[], ended: number): Value {
    const known = values.filter((value) => value !== null);
    const sum = known.reduce((all, value) => all + value, 0);
    switch (cell) {
      case "c":
        return sum + ended;
      case "v":
        return (sum + ended) / this.count;
      case "g":
        return sum;
      case "w":
        return weighted(values, done);
      case "x":
        return known.length === 0 ? null : Math.max(...known);
      default:
        return values[0] ?? null;
    }
  }
}

/** The mean of those that have a figure, by what each has done; of those that did nothing all alike. */
function weighted(values: readonly Value[], done: readonly number[]): Value {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, weight: done[at] ?? 0 }]));
  const all = known.reduce((sum, { weight }) => sum + weight, 0);
  if (known.length === 0) return null;
  return known.reduce(
    (mean, { value, weight }) => mean + value * (all === 0 ? 1 / known.length : weight / all),
    0,
  );
}

/** Pools are numbered as they are made: two processes that were changed at other times may number them differently. */
function poolIds(schema: LiveSchema, leader: LiveSchema): ((id: number) => number | undefined) | undefined {
  if (schema === leader) return undefined;
  const ids = new Map(leader.pools.map(({ id, name }) => [name, id]));
  const names = new Map(schema.pools.map(({ id, name }) => [id, name]));
  return (id) => ids.get(names.get(id) ?? "");
}
