import { CircleAlert, CircleDashed, GitBranch, TriangleAlert, WifiOff } from "lucide-react";
import { setDockTab, useDocument } from "../kernel/document/index.js";
import { formatBytes, words } from "../kernel/live/figures/format.js";
import { useCpuLoad, useMachineFigures } from "../kernel/live/hooks.js";
import { useProblems, useToDo } from "../kernel/problems/problemStore.js";
import { useConnection, useLoss } from "../kernel/connection/connection.js";
import { isAlive, useProject } from "../kernel/server/projectStore.js";
import { PutAwayToasts } from "../kernel/ui/index.js";
import { openDock } from "../registry/frameStore.js";
import { drawnHash, useDrawnState, usePendingLive } from "../kernel/run/runState.js";
import { CpuFigures } from "./CpuFigures.js";

const short = (hash: string | null | undefined): string => (hash ?? "").replace("sha256:", "").slice(0, 7);
const ICON = { size: 13, strokeWidth: 1.75 };

function Machine() {
  const machine = useMachineFigures();
  const cpus = useCpuLoad();
  if (!machine) return null;
  return (
    <>
      {cpus ? <CpuFigures loads={cpus} /> : null}
      <span className="mono status-figure">
        RSS <span className="digits">{words(formatBytes(machine.rssBytes))}</span>
      </span>
      <span className="mono">runtime {machine.runtime}</span>
    </>
  );
}

function Model() {
  const drawn = useDrawnState();
  // Set otherwise since it was started, and no longer drawn so: undone, or asked for elsewhere.
  const isAsDrawn = usePendingLive().length === 0;
  const lost = useLoss();
  const topology = useDocument((state) => state.topology);
  const saved = useProject((state) => state.topologyHash);
  const running = useProject(
    (state) => state.binaries.find((one) => isAlive(one) && one.topologyHash)?.topologyHash,
  );
  // As what is drawn is compared with it.
  const hash = saved === "" || drawn === "nothing-runs" ? saved : drawnHash(topology);
  const text = {
    "nothing-runs": `model ${short(hash)}, not running`,
    same: `model ${short(hash)} = running${isAsDrawn ? "" : " + live changes"}`,
    live: `model ${short(hash)}, running ${short(running)} + live changes`,
    rebuild: `model ${short(hash)} modified since run (${short(running)})`,
  }[drawn];
  return (
    <span className="status-item" data-tone={drawn === "rebuild" ? "warn" : ""}>
      <GitBranch {...ICON} />
      {hash ? (lost ? `model ${short(hash)}` : text) : "model"}
    </span>
  );
}

const show = (): void => {
  openDock();
  setDockTab("problems");
};

export function StatusBar() {
  const problems = useProblems();
  const toDo = useToDo().length;
  const socket = useConnection((state) => state.socket.kind);
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  return (
    <footer className="status-bar">
      <button type="button" className="status-item" onClick={show} data-tone={errors > 0 ? "bad" : ""}>
        <CircleAlert {...ICON} />
        {errors} {errors === 1 ? "error" : "errors"}
      </button>
      <button type="button" className="status-item" onClick={show} data-tone={warnings > 0 ? "warn" : ""}>
        <TriangleAlert {...ICON} />
        {warnings} {warnings === 1 ? "warning" : "warnings"}
      </button>
      {toDo > 0 ? (
        <button type="button" className="status-item" onClick={show}>
          <CircleDashed {...ICON} />
          {toDo} to do
        </button>
      ) : null}
      <PutAwayToasts className="status-item" />
      {socket === "open" ? null : (
        <span className="status-item" data-tone="bad" role="status">
          <WifiOff {...ICON} /> {socket === "connecting" ? "connecting" : "server lost, trying again"}
        </span>
      )}
      <div className="top-gap" />
      <Machine />
      <Model />
    </footer>
  );
}
