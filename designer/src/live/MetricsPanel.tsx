import { Activity } from "lucide-react";
import { useStore } from "zustand";
import { useDocument } from "../document/index.js";
import { dueAt } from "../load/dueAt.js";
import { EmptyState } from "../ui/index.js";
import { Chart, type Curve } from "./Chart.js";
import { formatMicros, formatRate, formatShare, words } from "./format.js";
import { Latencies } from "./Latencies.js";
import { liveStore } from "./liveStore.js";
import { curvesOf, firstTarget, targetOf } from "./metricsTarget.js";

// Outside the component: a chart is made anew when these change identity.
const RATE: Curve[] = [{ ring: "rate", label: "", color: "pool-2", area: true }];
const LATENCY: Curve[] = [
  { ring: "p50", label: "p50", color: "pool-2" },
  { ring: "p99", label: "p99", color: "bad", worst: true },
];
const LOAD: Curve[] = [{ ring: "rate", label: "", color: "ok", area: true }];
const QUEUE: Curve[] = [
  { ring: "p50", label: "waiting", color: "warn", worst: true },
  { ring: "p99", label: "callers blocked", color: "blocked", worst: true },
];
const asRate = (value: number | null) => words(formatRate(value));
const asTime = (value: number | null) => words(formatMicros(value));
const asShare = (value: number | null) => words(formatShare(value));
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
  const kind = curvesOf(target.ref)?.kind ?? (target.ref.startsWith("pool:") ? "pool" : "calls");
  return (
    <div className="metrics" key={target.ref}>
      {kind === "pool" ? (
        <>
          <Chart title="Threads busy" target={target.ref} curves={LOAD} format={asShare} top={1} nameMarks />
          <Chart title="Queue" target={target.ref} curves={QUEUE} format={asCount} />
        </>
      ) : (
        <>
          <Chart title="Throughput" target={target.ref} curves={RATE} format={asRate} due={dueAt} nameMarks />
          <Chart title="Latency" target={target.ref} curves={LATENCY} format={asTime} />
          <Latencies target={target.ref} />
        </>
      )}
    </div>
  );
}
