import { Crosshair } from "lucide-react";
import { useStore } from "zustand";
import { useDocument } from "../document/index.js";
import { metricsStore } from "./metricsStore.js";
import { firstTarget, targetOf } from "./metricsTarget.js";

/** Whose figures, over how long, and a way to make them stand still. */
export function MetricsHead() {
  const selection = useDocument((state) => state.selection);
  const topology = useDocument((state) => state.topology);
  const { spanSeconds, frozenAtMs } = useStore(metricsStore);
  const target = targetOf(selection, topology) ?? firstTarget();
  return (
    <div className="metrics-head">
      {target ? <span>{target.title}</span> : null}
      <button
        type="button"
        className="metrics-span"
        title="Change the span of time"
        onClick={() => metricsStore.setState({ spanSeconds: spanSeconds === 60 ? 120 : 60 })}
      >
        last {spanSeconds} s
      </button>
      <button
        type="button"
        className="metrics-freeze"
        aria-pressed={frozenAtMs !== null}
        onClick={() => metricsStore.setState({ frozenAtMs: frozenAtMs === null ? Date.now() : null })}
      >
        <Crosshair size={14} />
        {frozenAtMs === null ? "freeze" : "frozen"}
      </button>
    </div>
  );
}
