import { ChevronDown } from "lucide-react";
import { lazy, Suspense } from "react";
import { setDockTab, useWorkbench, type DockTab } from "../kernel/document/index.js";
import { BenchHead } from "../features/bench/BenchHead.js";
import { BenchPanel } from "../features/bench/BenchPanel.js";
import { MetricsHead } from "../features/metrics/MetricsHead.js";
import { ProblemsPanel } from "../features/problems/ProblemsPanel.js";
import { useProblems } from "../kernel/problems/problemStore.js";
import { TracePanel } from "../features/traces/TracePanel.js";
import { isBuilding, isLoading, isMeasuring, useProject } from "../kernel/server/projectStore.js";
import { Boundary, IconButton, Tabs, type TabItem } from "../kernel/ui/index.js";
import { BuildPanel } from "../features/run/BuildPanel.js";
import { toggleDock } from "../registry/frameStore.js";
import { LogsPanel } from "../features/run/LogsPanel.js";

const MetricsPanel = lazy(() =>
  import("../features/metrics/MetricsPanel.js").then((all) => ({ default: all.MetricsPanel })),
);

const LoadPanel = lazy(() =>
  import("../features/load/LoadPanel.js").then((all) => ({ default: all.LoadPanel })),
);

export function Dock() {
  const tab = useWorkbench((state) => state.dockTab);
  const problems = useProblems();
  const building = useProject(isBuilding);
  const measuring = useProject(isMeasuring);
  const loading = useProject(isLoading);
  const errors = problems.some((problem) => problem.severity === "error");
  const items: TabItem<DockTab>[] = [
    { value: "problems", label: "Problems", count: problems.length, tone: errors ? "bad" : "neutral" },
    { value: "build", label: building ? "Build …" : "Build" },
    { value: "logs", label: "Logs" },
    { value: "metrics", label: "Metrics" },
    { value: "bench", label: measuring ? "Bench …" : "Bench" },
    { value: "trace", label: "Trace" },
    { value: "load", label: loading ? "Load …" : "Load" },
  ];
  return (
    <section className="dock" aria-label="Dock">
      <div className="dock-head">
        <Tabs label="Dock" value={tab} onChange={setDockTab} items={items} />
        <div className="top-gap" />
        {tab === "metrics" ? <MetricsHead /> : null}
        {tab === "bench" ? <BenchHead /> : null}
        <IconButton
          label="Hide the dock"
          side="top"
          size="sm"
          icon={<ChevronDown size={14} />}
          onClick={toggleDock}
        />
      </div>
      <div className="dock-body" role="tabpanel" aria-label={tab}>
        {tab === "problems" ? <ProblemsPanel /> : null}
        {tab === "build" ? <BuildPanel /> : null}
        {tab === "logs" ? <LogsPanel /> : null}
        {tab === "bench" ? <BenchPanel /> : null}
        {tab === "trace" ? <TracePanel /> : null}
        {tab === "load" ? (
          <Boundary what="The load">
            <Suspense fallback={null}>
              <LoadPanel />
            </Suspense>
          </Boundary>
        ) : null}
        {tab === "metrics" ? (
          <Boundary what="The chart">
            <Suspense fallback={null}>
              <MetricsPanel />
            </Suspense>
          </Boundary>
        ) : null}
      </div>
    </section>
  );
}
