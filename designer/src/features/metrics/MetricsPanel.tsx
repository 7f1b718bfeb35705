import { Activity } from "lucide-react";
import { useStore } from "zustand";
import { useDocument } from "../../kernel/document/index.js";
import { dueAt } from "../../kernel/live/dueAt.js";
import { EmptyState } from "../../kernel/ui/index.js";
import { Chart, type Curve } from "./Chart.js";
import { formatBytes, formatMicros, formatRate, formatShare, words } from "../../kernel/live/format.js";
import { Latencies } from "./Latencies.js";
import { liveStore } from "../../kernel/live/liveStore.js";
import { curvesOf, firstTarget, targetOf } from "../../kernel/live/metricsTarget.js";

// Outside the component: a chart is made anew when these change identity.
const RATE: Curve[] = [{ ring: "rate", label: "", color: "pool-2", area: true }];
const LATENCY: Curve[] = [
  { ring: "p50", label: "p50", color: "pool-2" },
  { ring: "p99", label: "p99", color: "bad", worst: true },
];
/** Of services and stages: what is served and what is not, what is waited and what is run. */
const SERVED: Curve[] = [
  { ring: "rate", label: "served", color: "pool-2", area: true },
  { ring: "expired", label: "expired", color: "warn" },
];
const PARTS: Curve[] = [
  { ring: "ran", label: "ran", color: "pool-2" },
  { ring: "waited", label: "waited", color: "warn" },
  { ring: "p99", label: "p99", color: "bad", worst: true },
];
const MEMORY: Curve[] = [{ ring: "p50", label: "", color: "pool-1", area: true, worst: true }];
const THREADS: Curve[] = [{ ring: "p99", label: "", color: "pool-3", worst: true }];
const LOAD: Curve[] = [{ ring: "rate", label: "", color: "ok", area: true }];
const QUEUE: Curve[] = [
  { ring: "p50", label: "waiting", color: "warn", worst: true },
  { ring: "p99", label: "callers blocked", color: "blocked", worst: true },
];
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
          <Chart title="Latency" target={target.ref} curves={whole ? LATENCY : PARTS} format={asTime} />
          <Latencies target={target.ref} />
        </>
      )}
    </div>
  );
}

/** Of what has no curves yet. */
function kindOf(ref: string): "calls" | "pool" | "process" {
  if (ref.startsWith("pool:")) return "pool";
  return ref.startsWith("binary:") ? "process" : "calls";
}
