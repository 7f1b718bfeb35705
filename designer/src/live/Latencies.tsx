import { useMemo } from "react";
import type { LatencyFigures } from "./figures.js";
import { formatMicros, words } from "./format.js";
import { sliced, useSlice } from "./hooks.js";
import { latenciesOf } from "./metricsTarget.js";

const time = (us: number | null): string => words(formatMicros(us));

function Figures({ of, label }: { of: LatencyFigures; label: string }) {
  return (
    <div className="latencies" role="group" aria-label={label}>
      <span>{label}</span>
      {(["mean", "p50", "p90", "p99", "max"] as const).map((name) => (
        <span key={name}>
          {name} <b>{time(of[name])}</b>
        </span>
      ))}
    </div>
  );
}

/** Mean and percentiles of the last second's samples, and for a stage how long events waited before it. */
export function Latencies({ target }: { target: string }) {
  const found = useSlice(useMemo(() => sliced(() => latenciesOf(target)), [target]));
  if (!found) return null;
  return (
    <div className="metrics-latencies">
      <Figures of={found.ran} label={found.waited ? "Waited and ran" : "Took"} />
      {found.waited ? <Figures of={found.waited} label="Waited" /> : null}
    </div>
  );
}
