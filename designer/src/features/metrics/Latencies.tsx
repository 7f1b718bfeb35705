import { useMemo } from "react";
import type { LatencyFigures } from "../../kernel/live/figures/figures.js";
import { formatMicros, words } from "../../kernel/live/figures/format.js";
import { sliced, useSlice } from "../../kernel/live/hooks.js";
import { latenciesOf } from "../../kernel/live/metricsTarget.js";

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

/**
 * Mean and percentiles of the last second's samples, and for services and stages what of it was waiting: where another
 * binary runs a stage, there.
 */
export function Latencies({ target }: { target: string }) {
  const found = useSlice(useMemo(() => sliced(() => latenciesOf(target)), [target]));
  if (!found) return null;
  const { away, whole, wait, run } = found;
  const there = away === null ? "" : ` in ${away}`;
  return (
    <div className="metrics-latencies">
      {away === null ? null : <Figures of={whole} label="There and back" />}
      {away !== null || run ? null : <Figures of={whole} label={wait ? "Waited and ran" : "Took"} />}
      {wait ? <Figures of={wait} label={`Waited${there}`} /> : null}
      {run ? <Figures of={run} label={`Ran${there}`} /> : null}
    </div>
  );
}
