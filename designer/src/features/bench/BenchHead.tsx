import { useStore } from "zustand";
import { useProject } from "../../kernel/server/projectStore.js";
import { benchRows } from "./benchRows.js";
import { fittingKind, benchStore } from "./benchScale.js";

/** How the bars are compared: by length or by logarithm. */
export function BenchHead() {
  const bench = useProject((state) => state.bench);
  const chosen = useStore(benchStore, (state) => state.scale);
  if (bench.results.length === 0) return null;
  const kind = chosen ?? fittingKind(benchRows(bench));
  return (
    <div className="metrics-head">
      <button
        type="button"
        className="metrics-span"
        title="Change the scale of the bars"
        onClick={() => benchStore.setState({ scale: kind === "log" ? "linear" : "log" })}
      >
        {kind === "log" ? "logarithmic" : "linear"} scale
      </button>
    </div>
  );
}
