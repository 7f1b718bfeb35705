import type { BenchPhase } from "@penstock/codegen/contract";
import { CircleCheck, CircleX, Gauge, TriangleAlert } from "lucide-react";
import { formatClock, formatDuration } from "../../kernel/live/figures/format.js";
import { anyAlive, isBuilding, isMeasuring, useProject } from "../../kernel/server/projectStore.js";
import { ProblemRow } from "../../kernel/files/ProblemRow.js";
import { useRunObstacle } from "../../kernel/run/useRunObstacle.js";
import { Button, EmptyState } from "../../kernel/ui/index.js";
import { BenchChart } from "./BenchChart.js";
import { cancelMeasuring, measure } from "./benchActions.js";
import "./bench.css";

const TITLES: Record<BenchPhase, string> = {
  idle: "Measured",
  generating: "Generating",
  configuring: "Configuring",
  compiling: "Compiling the benchmarks",
  measuring: "Measuring",
  succeeded: "Measured",
  failed: "Not all was measured",
  cancelled: "Measuring cancelled",
};

/** Why nothing can be measured right now; "" when it can. */
function useObstacle(): string {
  const obstacle = useRunObstacle();
  const building = useProject(isBuilding);
  return obstacle || (building ? "A build is running: wait for it, or cancel it" : "");
}

/** Rows of the chart have their own reason; what is left concerns all of them. */
function useGeneralProblems() {
  const bench = useProject((state) => state.bench);
  return bench.problems.filter(
    ({ code, node, severity }) =>
      severity === "error" &&
      !(code === "PS882" && bench.skipped.some((one) => node === `service:${one.service}`)),
  );
}

/** Benchmarks: how far they are, what is in the way, and what a call of each service took. */
export function BenchPanel() {
  const bench = useProject((state) => state.bench);
  const measuring = useProject(isMeasuring);
  const disturbed = useProject(anyAlive);
  const obstacle = useObstacle();
  const problems = useGeneralProblems();
  const { phase, done, total, current, results, skipped, measuredAtMs } = bench;
  const has = results.length + skipped.length > 0;
  const begin = (
    <Button
      size={has || problems.length > 0 ? "sm" : "md"}
      disabled={obstacle !== ""}
      title={obstacle || undefined}
      onClick={() => void measure()}
    >
      Run benchmarks
    </Button>
  );

  if (!measuring && !has && problems.length === 0)
    return (
      <EmptyState
        icon={<Gauge size={18} />}
        title={phase === "cancelled" ? "Measuring cancelled" : "Nothing measured yet"}
        actions={begin}
      >
        {obstacle ||
          "Builds the benchmarks in bench/ and runs each five times: what a whole call of a service takes."}
      </EmptyState>
    );
  const failed = phase === "failed";
  return (
    <div className="build-panel">
      <div className="build-head" data-phase={phase} role="status">
        {phase === "succeeded" || phase === "idle" ? <CircleCheck size={14} color="var(--ok)" /> : null}
        {failed ? <CircleX size={14} color="var(--bad)" /> : null}
        <strong className="bench-title">
          {failed && problems.length > 0 ? "Not measured" : TITLES[phase]}
        </strong>
        {measuring && total > 0 ? (
          <span className="mono">
            {done} / {total}
          </span>
        ) : null}
        {measuring ? <span className="mono build-current">{current}</span> : null}
        {!measuring && measuredAtMs !== null ? (
          <span className="mono">{formatClock(measuredAtMs)}</span>
        ) : null}
        {!measuring && phase === "succeeded" ? (
          <span className="build-current">took {formatDuration(bench.milliseconds)}</span>
        ) : null}
        <div className="top-gap" />
        {disturbed ? (
          <span className="bench-note">
            <TriangleAlert size={13} aria-hidden /> Stop what runs for steady figures
          </span>
        ) : null}
        {obstacle !== "" && !measuring ? <span className="bench-note">{obstacle}</span> : null}
        {measuring ? (
          <Button size="sm" onClick={() => void cancelMeasuring()}>
            Cancel
          </Button>
        ) : (
          begin
        )}
      </div>
      <div
        className="bar"
        data-tone={failed ? "bad" : ""}
        {...(measuring
          ? {
              role: "progressbar",
              "aria-label": TITLES[phase],
              "aria-valuemax": total,
              "aria-valuenow": done,
            }
          : {})}
      >
        <div
          style={{ transform: `scaleX(${measuring && total > 0 ? done / total : 0})` }}
          data-unknown={measuring && total === 0}
        />
      </div>
      <div className="bench-body" tabIndex={0} role="region" aria-label="Benchmarks">
        {problems.map((problem, index) => (
          <ProblemRow key={index} problem={problem} />
        ))}
        {has ? (
          <BenchChart again={measuring || obstacle !== "" ? undefined : (service) => void measure(service)} />
        ) : null}
      </div>
    </div>
  );
}
