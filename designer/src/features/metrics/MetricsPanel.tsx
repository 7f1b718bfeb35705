import { Activity } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { useDocument } from "../../kernel/document/index.js";
import { dueAt } from "../../kernel/run/loadedFlow.js";
import { EmptyState } from "../../kernel/ui/index.js";
import { Chart } from "./Chart.js";
import {
  formatBytes,
  formatMicros,
  formatRate,
  formatShare,
  words,
} from "../../kernel/live/figures/format.js";
import { Latencies } from "./Latencies.js";
import { sliced, useSlice } from "../../kernel/live/hooks.js";
import { liveStore } from "../../kernel/live/liveStore.js";
import { LATENCY, LOAD, MEMORY, PARTS, QUEUE, RATE, SERVED, THREADS } from "./metricsCurves.js";
import { curvesOf, firstTarget, latenciesOf, targetOf } from "../../kernel/live/metricsTarget.js";

const asRate = (value: number | null) => words(formatRate(value));
const asTime = (value: number | null) => words(formatMicros(value));
const asShare = (value: number | null) => words(formatShare(value));
const asBytes = (value: number | null) => words(formatBytes(value));
const asCount = (value: number | null) => (value === null ? "–" : String(Math.round(value)));

/** Throughput and latency of what is selected (for a pool: load and queue), with every live change marked. */
export function MetricsPanel() {
  const selection = useDocument((state) => state.selection);
  const topology = useDocument((state) => state.topology);
  const some = useStore(liveStore, (state) => state.binaries.length > 0);
  const target = targetOf(selection, topology) ?? firstTarget();
  const ref = target?.ref ?? "";
  const away = useAway(ref);
  if (!some || !target)
    return (
      <EmptyState icon={<Activity size={18} />} title="Nothing runs">
        Run the project: throughput and latency of the selected node appear here.
      </EmptyState>
    );
  const kind = curvesOf(target.ref)?.kind ?? kindOf(target.ref);
  const whole = target.ref.startsWith("flow:");
  return (
    <div className="metrics" key={target.ref}>
      {kind === "pool" ? (
        <>
          <Chart title="Threads busy" target={target.ref} curves={LOAD} format={asShare} top={1} nameMarks />
          <Chart title="Queue" target={target.ref} curves={QUEUE} format={asCount} />
        </>
      ) : kind === "process" ? (
        <>
          <Chart title="Memory (RSS)" target={target.ref} curves={MEMORY} format={asBytes} nameMarks />
          <Chart title="Threads" target={target.ref} curves={THREADS} format={asCount} />
        </>
      ) : (
        <>
          <Chart
            title="Throughput"
            target={target.ref}
            curves={whole ? RATE : SERVED}
            format={asRate}
            due={dueAt}
            nameMarks
          />
          <Chart
            title={away === null ? "Latency" : "Latency, there and back"}
            target={target.ref}
            curves={whole || away !== null ? LATENCY : PARTS}
            format={asTime}
          />
          <Latencies target={target.ref} />
        </>
      )}
    </div>
  );
}

/** The binary that runs a stage, where its flow is in another one. */
const useAway = (ref: string): string | null =>
  useSlice(useMemo(() => sliced(() => latenciesOf(ref)?.away ?? null), [ref]));

/** Of what has no curves yet. */
function kindOf(ref: string): "calls" | "pool" | "process" {
  if (ref.startsWith("pool:")) return "pool";
  return ref.startsWith("binary:") ? "process" : "calls";
}
