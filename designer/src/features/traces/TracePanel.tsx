import type { TraceRow } from "@penstock/codegen/contract";
import { Route } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { reveal, useDocument } from "../../kernel/document/index.js";
import { formatClock, formatMicros, words } from "../../kernel/live/figures/format.js";
import { sliced, useSlice } from "../../kernel/live/hooks.js";
import { allTracks } from "../../kernel/live/liveStore.js";
import { Button, EmptyState } from "../../kernel/ui/index.js";
import { flowOfSelection } from "./flowOfSelection.js";
import { barsOf } from "../../kernel/live/traceBars.js";
import "../../kernel/ui/waterfall.css";
import "./traces.css";
import { pinTrace, traceStore, type KeptTrace } from "../../kernel/live/traceStore.js";

const time = (us: number): string => words(formatMicros(us));
/** Of what was not over when this was told. */
const partTime = (us: number | null, begun: boolean): string =>
  us === null ? (begun ? "…" : "–") : time(us);
const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** The ways of sampled events of the selected flow: which stage, which thread, how long it waited and ran. */
export function TracePanel() {
  const selection = useDocument((state) => state.selection);
  const { byFlow, pinned } = useStore(traceStore);
  const flow = flowOfSelection(selection, byFlow);
  const events = (flow === undefined ? undefined : byFlow.get(flow)) ?? [];
  const shown = pinned?.flow === flow ? pinned : events[0];
  if (!shown)
    return (
      <EmptyState icon={<Route size={18} />} title="No event followed yet" actions={<Unsampled />}>
        While a flow runs with sampling on, the way of one event at a time is shown here.
      </EmptyState>
    );
  return (
    <div className="traces">
      <ul className="trace-events" aria-label={`Events of ${shown.flow}`}>
        <li>
          <button type="button" aria-pressed={pinned === null} onClick={() => pinTrace(null)}>
            Newest
          </button>
        </li>
        {events.map((event) => (
          <li key={event.key}>
            <button
              type="button"
              aria-pressed={pinned?.key === event.key}
              data-outcome={event.outcome}
              title={event.outcome}
              onClick={() => pinTrace(event)}
            >
              <span className="mono">{formatClock(event.atMs)}</span>
              <span className="mono">{time(event.totalUs)}</span>
              {event.outcome === "completed" ? null : <span>{event.outcome}</span>}
            </button>
          </li>
        ))}
      </ul>
      <div className="trace-way">
        <Unsampled />
        <Waterfall event={shown} />
      </div>
    </div>
  );
}

/** The running binaries that have flows and sample none of their events. */
const unsampled = (): string[] =>
  [...allTracks()]
    .filter(({ schema }) => schema !== null && schema.sampling === 0 && schema.flows.length > 0)
    .map(({ binary }) => binary);

/** Says whose events are not followed, and where that is set. */
function Unsampled() {
  const binaries = useSlice(useMemo(() => sliced(unsampled), []));
  return binaries?.map((name) => (
    <p key={name} className="trace-unsampled">
      The sampling of {name} is 0, so none of its events is followed. Set it in the properties of the binary.
      <Button size="sm" onClick={() => reveal(`binary:${name}`)}>
        Show {name}
      </Button>
    </p>
  ));
}

function Waterfall({ event }: { event: KeptTrace }) {
  return (
    <div className="waterfall" role="table" aria-label={`Way of an event through ${event.flow}`}>
      <div className="waterfall-head" role="row">
        <span role="columnheader">Stage, calls</span>
        <span role="columnheader">Thread</span>
        <span role="columnheader">
          {time(event.totalUs)}, {event.outcome}
        </span>
        <span role="columnheader">Waited</span>
        <span role="columnheader">Ran</span>
      </div>
      {event.rows.map((row, index) => (
        <Row key={`${row.stage}/${index}`} flow={event.flow} row={row} totalUs={event.totalUs} />
      ))}
    </div>
  );
}

/** A call has the name of what it asked: of one implementation, where there are several. */
const nameOf = ({ stage, service, implementation }: TraceRow): string =>
  implementation === "" ? service || stage : `${service} · ${implementation}`;

function Row({ flow, row, totalUs }: { flow: string; row: TraceRow; totalUs: number }) {
  const { wait, run } = barsOf(row, totalUs);
  const { away, waitUs, runUs } = row;
  const where = away === undefined ? row.thread || "not begun" : `in ${away}`;
  // Until its answer: on which thread, and after how long a wait, is known there alone.
  const answered = away !== undefined && waitUs !== null && runUs !== null ? waitUs + runUs : runUs;
  return (
    <div className="waterfall-row" role="row" data-failed={row.failed}>
      <span role="cell" style={{ paddingLeft: row.depth * 14 }}>
        <button
          type="button"
          className="item-link"
          title={nameOf(row)}
          onClick={() => reveal(row.depth > 0 ? `service:${row.service}` : `stage:${flow}/${row.stage}`)}
        >
          <span className="waterfall-name">{nameOf(row)}</span>
          {row.failed ? <em>failed</em> : null}
        </button>
      </span>
      <span role="cell" className="mono" title={where}>
        {where}
      </span>
      <span role="cell" className="waterfall-track" aria-label={`from ${time(row.atUs)}`}>
        <i className="waterfall-wait" style={{ left: percent(wait[0]), width: percent(wait[1]) }} />
        <i className="waterfall-run" style={{ left: percent(run[0]), width: percent(run[1]) }} />
      </span>
      <span role="cell" className="mono">
        {away === undefined ? partTime(waitUs, true) : "–"}
      </span>
      <span
        role="cell"
        className="mono"
        title={
          away === undefined ? undefined : `Until the answer of ${away}, with the way and the wait there`
        }
      >
        {partTime(answered, row.thread !== "")}
      </span>
    </div>
  );
}
