import { Crosshair, ZoomOut } from "lucide-react";
import { useStore } from "zustand";
import { useDocument } from "../../kernel/document/index.js";
import { METRICS_RANGES } from "../../kernel/live/metricsRange.js";
import { metricsStore, resetZoom, showRange } from "./metricsStore.js";
import { firstTarget, targetOf } from "../../kernel/live/metricsTarget.js";

/** Whose figures, over how long, and a way to make them stand still. */
export function MetricsHead() {
  const selection = useDocument((state) => state.selection);
  const topology = useDocument((state) => state.topology);
  const { range, zoom, frozenAtMs } = useStore(metricsStore);
  const target = targetOf(selection, topology) ?? firstTarget();
  return (
    <div className="metrics-head">
      {target ? <span className="metrics-target">{target.title}</span> : null}
      {zoom ? (
        <button
          type="button"
          className="metrics-freeze"
          title="Reset zoom (double click on a chart)"
          onClick={resetZoom}
        >
          <ZoomOut size={14} />
          <span>reset zoom</span>
        </button>
      ) : null}
      <div className="metrics-ranges" role="group" aria-label="Range of the charts">
        {METRICS_RANGES.map((one) => (
          <button
            key={one.name}
            type="button"
            className="metrics-range"
            aria-pressed={range === one && zoom === null}
            title={`The last ${one.name}; drag over a chart to zoom`}
            onClick={() => showRange(one)}
          >
            {one.name}
          </button>
        ))}
      </div>
      <button
        type="button"
        className="metrics-freeze"
        title={frozenAtMs === null ? "Make the charts stand still" : "Let the charts run again"}
        aria-pressed={frozenAtMs !== null}
        onClick={() => metricsStore.setState({ frozenAtMs: frozenAtMs === null ? Date.now() : null })}
      >
        <Crosshair size={14} />
        <span>{frozenAtMs === null ? "freeze" : "frozen"}</span>
      </button>
    </div>
  );
}
