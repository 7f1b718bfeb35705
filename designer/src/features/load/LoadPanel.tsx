import { outcomeText, type LoadReport } from "@penstock/codegen/contract";
import { CircleCheck, CircleX, Flag, Square } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { formatDuration, formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";
import { isLoading, useProject } from "../../kernel/server/projectStore.js";
import { ProblemRow } from "../../kernel/files/ProblemRow.js";
import { drawnTarget } from "../../kernel/run/loadedFlow.js";
import { useRunObstacle } from "../../kernel/run/useRunObstacle.js";
import { Button } from "../../kernel/ui/index.js";
import { startLoad, stopLoad } from "./loadActions.js";
import { LoadChart } from "./LoadChart.js";
import { LATENCY, THROUGHPUT } from "./loadCurves.js";
import { LoadForm } from "./LoadForm.js";
import { headerFault, loadStore, requestOf, targetOf } from "./loadStore.js";
import { LoadWhole } from "./LoadWhole.js";
import { progressOf, targetWords, titleOf } from "./loadWords.js";
import { useLoadableFlows } from "./useLoadableFlows.js";
import "./load.css";

const asRate = (value: number | null) => words(formatRate(value));
const asTime = (value: number | null) => words(formatMicros(value));

function Result({ report, loading }: { report: LoadReport; loading: boolean }) {
  const last = report.seconds.at(-1);
  return (
    <>
      <span className="load-target">{targetWords(report)}</span>
      <span className="mono load-time">{formatDuration(report.seconds.length * 1000)}</span>
      <span className="load-result" title={outcomeText(report)}>
        {outcomeText(report)}
      </span>
      {loading && last && !last.held ? <span className="load-late">not held</span> : null}
    </>
  );
}

/** The load simulator: what to load and how, how far it is, and the curves of the whole load. */
export function LoadPanel() {
  const load = useProject((state) => state.load);
  const loading = useProject(isLoading);
  const form = useStore(loadStore);
  const flows = useLoadableFlows();
  const obstacle = useRunObstacle();
  const target = targetOf(form, flows);
  const { phase, report, problems } = load;
  const title = titleOf(load);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const takeFault = (label: string, fault: string | undefined) =>
    setFaults((old) => {
      const others = [...old].filter(([other]) => other !== label);
      return new Map(fault === undefined ? others : [...others, [label, fault]]);
    });
  const [wrong] = faults;
  const bad = title === "Failed";
  const reason =
    obstacle ||
    (target === null ? "What was chosen does not run: run it, or choose another" : "") ||
    (target?.kind === "url" ? headerFault(form.header) : "") ||
    (wrong ? wrong.join(": ") : "");
  return (
    <div className="build-panel load-panel">
      <div className="build-head" data-phase={phase} role="status">
        {title === "Done" ? <CircleCheck size={14} color="var(--ok)" aria-hidden /> : null}
        {title === "Broke" ? <Flag size={14} color="var(--warn)" aria-hidden /> : null}
        {title === "Stopped" ? <Square size={12} aria-hidden /> : null}
        {bad ? <CircleX size={14} color="var(--bad)" aria-hidden /> : null}
        {title === "" ? (
          <span>More and more events a second, until what is loaded no longer keeps up</span>
        ) : (
          <strong>{title}</strong>
        )}
        {report ? <Result report={report} loading={loading} /> : null}
        <div className="top-gap" />
        {loading ? (
          <Button size="sm" onClick={() => void stopLoad()}>
            Stop the load
          </Button>
        ) : (
          <Button
            size="sm"
            disabled={reason !== ""}
            title={reason || undefined}
            onClick={() => target && void startLoad(requestOf(form, target))}
          >
            Start the load
          </Button>
        )}
      </div>
      <div
        className="bar"
        data-tone={bad ? "bad" : ""}
        {...(loading
          ? {
              role: "progressbar",
              "aria-label": "Load",
              "aria-valuemin": 0,
              "aria-valuemax": 100,
              "aria-valuenow": report ? Math.round(progressOf(report) * 100) : 0,
            }
          : {})}
      >
        <div
          style={{
            transform: `scaleX(${loading && report ? progressOf(report) : 0})`,
          }}
          data-unknown={loading && !report}
        />
      </div>
      {problems.map((problem, index) => (
        <ProblemRow key={index} problem={problem} />
      ))}
      <div className="load-body">
        <LoadForm
          flows={flows}
          target={loading && report ? drawnTarget(report.target) : target}
          running={loading ? (report?.settings ?? form.settings) : null}
          onFault={takeFault}
        />
        {report && report.seconds.length > 0 ? (
          <div className="load-charts">
            {report.whole && !loading ? <LoadWhole {...report} whole={report.whole} /> : null}
            <LoadChart title="Throughput" report={report} curves={THROUGHPUT} format={asRate} />
            <LoadChart title="Latency" report={report} curves={LATENCY} format={asTime} />
          </div>
        ) : (
          <p className="load-hint">
            {reason ||
              (loading
                ? "The first second is on its way."
                : "The load grows by a step every few seconds, and ends where the target no longer keeps up.")}
          </p>
        )}
      </div>
    </div>
  );
}
