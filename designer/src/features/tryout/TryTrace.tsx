import { askedRows, type AskedCall, type TraceRow } from "@penstock/codegen/contract";
import { reveal } from "../../kernel/document/index.js";
import { formatMicros, words } from "../../kernel/live/figures/format.js";
import { barsOf } from "../../kernel/live/traceBars.js";
import "../../kernel/ui/waterfall.css";

const time = (us: number | null, begun: boolean): string =>
  us === null ? (begun ? "…" : "–") : words(formatMicros(us));
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** The way of a call that was tried: whom it asked in turn, on which thread, how long each waited and ran. */
export function TryTrace({ trace, tookMs }: { trace: readonly AskedCall[]; tookMs: number }) {
  const rows = askedRows(trace);
  return (
    <div className="try-trace" role="table" aria-label="Trace">
      <div role="row">
        <span role="columnheader">Trace</span>
        <span role="columnheader" className="try-track-head" aria-label="When" />
        <span role="columnheader">Waited</span>
        <span role="columnheader">Ran</span>
      </div>
      {rows.map((row, index) => (
        <Row key={index} row={row} totalUs={tookMs * 1000} />
      ))}
    </div>
  );
}

function Row({ row, totalUs }: { row: TraceRow; totalUs: number }) {
  const { service, implementation, depth, thread, atUs, waitUs, runUs, failed } = row;
  const { wait, run } = barsOf(row, totalUs);
  // Of several implementations the name alone has room; the title says whose.
  const name = implementation === "" ? service : `${service} · ${implementation}`;
  return (
    <div className="waterfall-row" role="row" data-failed={failed}>
      <span role="cell" style={{ paddingLeft: Math.min(depth, 4) * 10 }}>
        <button
          type="button"
          className="item-link"
          title={name}
          aria-label={name}
          onClick={() => reveal(`service:${service}`)}
        >
          {implementation || service}
        </button>
        <span className="mono try-thread">
          <span className="waterfall-name">{thread || "not begun"}</span>
          {failed ? <em>failed</em> : null}
        </span>
      </span>
      <span role="cell" className="waterfall-track" aria-label={`from ${words(formatMicros(atUs))}`}>
        <i className="waterfall-wait" style={{ left: percent(wait[0]), width: percent(wait[1]) }} />
        <i className="waterfall-run" style={{ left: percent(run[0]), width: percent(run[1]) }} />
      </span>
      <span role="cell" className="mono">
        {time(waitUs, true)}
      </span>
      <span role="cell" className="mono">
        {time(runUs, thread !== "")}
      </span>
    </div>
  );
}
