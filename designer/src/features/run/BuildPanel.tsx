import { CircleCheck, CircleX, Hammer } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { formatDuration } from "../../kernel/live/figures/format.js";
import { openProblem } from "../../kernel/files/openProblem.js";
import { isBuilding, useProject } from "../../kernel/server/projectStore.js";
import { Button, EmptyState } from "../../kernel/ui/index.js";
import { compilerPlace } from "./compilerPlace.js";
import { ProblemRow } from "../../kernel/files/ProblemRow.js";
import { build, cancelBuild } from "../../kernel/run/runActions.js";

const TITLES = {
  idle: "",
  generating: "Generating",
  waiting: "Waiting for the runtime library, which set-up builds",
  configuring: "Configuring",
  compiling: "Compiling",
  succeeded: "Built",
  failed: "Build failed",
  cancelled: "Build cancelled",
} as const;

const took = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms));

/** Progress as ninja counts it, the problems it found, and what it printed. */
export function BuildPanel() {
  const status = useProject((state) => state.build);
  const output = useProject((state) => state.output);
  const running = isBuilding({ build: status });
  const log = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const failed = status.phase === "failed";
  useLayoutEffect(() => {
    const box = log.current;
    if (!follows.current || !box || output.length === 0) return;
    // What ended the build stands before the last lines, which say only that it did.
    const error = failed ? box.querySelector('.log-link[data-tone="bad"]') : null;
    if (error) box.scrollTop += error.getBoundingClientRect().top - box.getBoundingClientRect().top;
    else box.scrollTop = box.scrollHeight;
  }, [output, failed]);

  if (status.phase === "idle" && output.length === 0)
    return (
      <EmptyState
        icon={<Hammer size={18} />}
        title="Nothing built yet"
        actions={<Button onClick={() => void build()}>Build</Button>}
      >
        Build generates the C++ project and compiles it with CMake.
      </EmptyState>
    );
  const share = status.total > 0 ? status.done / status.total : status.phase === "succeeded" ? 1 : 0;
  return (
    <div className="build-panel">
      <div className="build-head" data-phase={status.phase}>
        {status.phase === "succeeded" ? <CircleCheck size={14} color="var(--ok)" /> : null}
        {status.phase === "failed" ? <CircleX size={14} color="var(--bad)" /> : null}
        <strong>{TITLES[status.phase]}</strong>
        {status.total > 0 ? (
          <span className="mono">
            {status.done} / {status.total}
          </span>
        ) : null}
        {running ? <span className="mono build-current">{status.current}</span> : null}
        {!running && status.milliseconds > 0 ? (
          <span className="mono">{took(status.milliseconds)}</span>
        ) : null}
        <div className="top-gap" />
        {running ? (
          <Button size="sm" onClick={cancelBuild}>
            Cancel
          </Button>
        ) : null}
      </div>
      <div
        className="bar"
        data-tone={status.phase === "failed" ? "bad" : status.phase === "succeeded" ? "ok" : ""}
      >
        <div style={{ transform: `scaleX(${share})` }} data-unknown={running && status.total === 0} />
      </div>
      <div
        className="build-log"
        ref={log}
        onScroll={({ currentTarget: box }) => {
          // Where it was put to show the error is no sign that somebody reads elsewhere.
          if (!failed) follows.current = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
        }}
      >
        {status.problems.map((problem, index) => (
          <ProblemRow key={index} problem={problem} />
        ))}
        {output.slice(-1500).map((line, index) => {
          const place = compilerPlace(line);
          return place ? (
            <button
              type="button"
              key={index}
              className="mono log-line log-link"
              data-tone={place.severity === "error" ? "bad" : "warn"}
              onClick={() => void openProblem(place)}
            >
              {line}
            </button>
          ) : (
            <div key={index} className="mono log-line">
              {line || " "}
            </div>
          );
        })}
      </div>
    </div>
  );
}
