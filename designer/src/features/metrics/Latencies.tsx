import { useMemo } from "react";
import type { LatencyFigures } from "../../kernel/live/figures/figures.js";
import { formatMicros, words } from "../../kernel/live/figures/format.js";
import { sliced, useSlice } from "../../kernel/live/hooks.js";
import { latenciesOf, type Sampled } from "../../kernel/live/metricsTarget.js";

const time = (us: number | null): string => words(formatMicros(us));

function Figures({ of, label, sampled }: { of: LatencyFigures; label: string; sampled: Sampled | null }) {
  const count = of.p50 === null ? undefined : sampled?.samples.toLocaleString("en-US");
  return (
    <div
      className="latencies"
      role="group"
      aria-label={label}
      title={
        count === undefined
          ? undefined
          : `From about ${count} ${count === "1" ? "sample" : "samples"} of the last second: ${sampled?.per128} in 128 are timed`
      }
    >
      <span>{label}</span>
      {(["mean", "p50", "p90", "p99", "max"] as const).map((name) => (
        <span key={name}>
          {name} <b>{time(of[name])}</b>
        </span>
      ))}
      {count === undefined ? null : <span>n ≈ {count}</span>}
    </div>
  );
}

/**
 * Mean and percentiles of the last second's samples, of how many, and for services and stages what of it was waiting: where another
 * binary runs a stage, there.
 */
export function Latencies({ target }: { target: string }) {
  const found = useSlice(useMemo(() => sliced(() => latenciesOf(target)), [target]));
  if (!found) return null;
  const { away, whole, wait, run, sampled } = found;
  const there = away === null ? "" : ` in ${away}`;
  return (
    <div className="metrics-latencies">
      {away === null ? null : <Figures of={whole} label="There and back" sampled={sampled.whole} />}
      {away !== null || run ? null : (
        <Figures of={whole} label={wait ? "Waited and ran" : "Took"} sampled={sampled.whole} />
      )}
      {wait ? <Figures of={wait} label={`Waited${there}`} sampled={sampled.parts} /> : null}
      {run ? <Figures of={run} label={`Ran${there}`} sampled={sampled.parts} /> : null}
    </div>
  );
}
