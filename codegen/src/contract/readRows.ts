import type { LiveSample } from "./live.js";
import {
  ASKED_ROWS,
  cellNames,
  LIVE_ROWS,
  ROW_NAMES,
  TRACE_ROWS,
  type AskedCall,
  type AskedCallRow,
  type LiveLatency,
  type LiveRow,
  type RowKind,
  type RowName,
  type TraceCall,
  type TraceCallRow,
  type TraceStep,
  type TraceStepRow,
} from "./liveRows.js";

/** A row as it was sent. */
type Said = readonly (number | string | null | undefined)[];

/** A class of rows that read their cells when they are asked: half the time of objects that are filled first. */
function readerOf(kind: RowKind): new (said: Said) => object {
  class Row {
    // Declared alone: a field is set twice, which costs as much as all reading does.
    declare readonly said: Said;
    constructor(said: Said) {
      this.said = said;
    }
  }
  const own = kind.cells.length;
  for (const [at, name] of cellNames(kind).slice(0, own).entries())
    Object.defineProperty(Row.prototype, name.replace("?", ""), {
      get(this: Row) {
        return this.said[at];
      },
    });
  if (kind.latency)
    Object.defineProperty(Row.prototype, "latency", {
      get(this: Row): LiveLatency {
        const said = this.said as readonly (number | null | undefined)[];
        return {
          p50: said[own] ?? null,
          p90: said[own + 1] ?? null,
          p99: said[own + 2] ?? null,
          max: said[own + 3] ?? null,
          mean: said[own + 4] ?? null,
        };
      },
    });
  return Row;
}

const READERS = Object.fromEntries(ROW_NAMES.map((name) => [name, readerOf(LIVE_ROWS[name])])) as Record<
  RowName,
  new (said: Said) => object
>;

/** The rows of a list by the names of their cells; none where the sample has no such list. */
export function liveRows<Name extends RowName>(
  sample: Partial<Pick<LiveSample, Name>> | undefined,
  name: Name,
): LiveRow<Name>[] {
  const Reader = READERS[name];
  const rows: readonly Said[] = sample?.[name] ?? [];
  return rows.map((said) => new Reader(said) as LiveRow<Name>);
}

const Step = readerOf(TRACE_ROWS.steps);
const Call = readerOf(TRACE_ROWS.calls);
const Asked = readerOf(ASKED_ROWS.trace);

/** What the stages did with an event, by the names of the cells. */
export const traceSteps = (steps: readonly TraceStep[]): TraceStepRow[] =>
  steps.map((said) => new Step(said) as TraceStepRow);
/** The calls on behalf of an event. */
export const traceCalls = (calls: readonly TraceCall[]): TraceCallRow[] =>
  calls.map((said) => new Call(said) as TraceCallRow);
/** The way of a question. */
export const askedCalls = (calls: readonly AskedCall[]): AskedCallRow[] =>
  calls.map((said) => new Asked(said) as AskedCallRow);
