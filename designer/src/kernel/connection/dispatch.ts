import type { LoadStatus, ServerMessage } from "@penstock/codegen/contract";
import { dropBinary, endBinary, takeHistory, takeLost, takeSample, takeSchema } from "../live/liveStore.js";
import { ask, ApiFailure } from "../server/api.js";
import { addLogs, clearLogs } from "../server/logStore.js";
import { anyAlive, isAlive, isBuilding, OUTPUT_LINES, projectStore } from "../server/projectStore.js";

/** Hears of every message after it has been taken in. */
export type Listener = (message: ServerMessage) => void;
const listeners = new Set<Listener>();
export function onServerMessage(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let output: string[] = [];
let outputScheduled = false;
const flushOutput = () => {
  outputScheduled = false;
  const added = output;
  output = [];
  projectStore.setState((state) => ({ output: state.output.concat(added).slice(-OUTPUT_LINES) }));
};

/** A load's report with one more second; a tab that came in between has some of them already. */
function withSecond(
  load: LoadStatus,
  { second, heldPerSecond }: Extract<ServerMessage, { type: "load-second" }>,
): LoadStatus {
  if (load.report === null || second.second !== load.report.seconds.length) return load;
  const seconds = [...load.report.seconds, second];
  return { ...load, phase: "loading", report: { ...load.report, heldPerSecond, seconds } };
}

async function loadLogs(project: string): Promise<void> {
  try {
    const { lines } = await ask("logs", { project });
    if (projectStore.getState().project === project) addLogs(lines, 0);
  } catch (error) {
    // New lines come all the same; only the past is missing.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** Takes in what the server says. Late words about another project are dropped. */
export function dispatch(message: ServerMessage): void {
  if ("project" in message && message.project !== projectStore.getState().project) return;
  switch (message.type) {
    case "opened":
      // After a reconnect the server may be another one, whose lines are counted from the start.
      clearLogs();
      void loadLogs(message.project);
      projectStore.setState({ revision: message.revision, topologyHash: message.topologyHash });
      break;
    case "saved":
      projectStore.setState({ revision: message.revision, topologyHash: message.topologyHash });
      break;
    case "build": {
      const starts = isBuilding({ build: message.status }) && !isBuilding(projectStore.getState());
      if (starts) output = [];
      projectStore.setState({ build: message.status, ...(starts ? { output: [] } : {}) });
      break;
    }
    case "bench":
      projectStore.setState({ bench: message.status });
      break;
    case "load":
      projectStore.setState({ load: message.status });
      break;
    case "load-second":
      projectStore.setState(({ load }) => ({ load: withSecond(load, message) }));
      break;
    case "build-output":
      output.push(...message.lines);
      if (output.length > OUTPUT_LINES) output = output.slice(-OUTPUT_LINES);
      if (!outputScheduled) {
        outputScheduled = true;
        requestAnimationFrame(flushOutput);
      }
      break;
    case "binaries":
      for (const status of message.binaries)
        if (status.state === "stopped") dropBinary(status.binary);
        else if (!isAlive(status)) endBinary(status.binary);
      projectStore.setState({
        binaries: message.binaries,
        ...(anyAlive(message) ? { aliveAtMs: Date.now() } : {}),
      });
      break;
    case "logs":
      addLogs(message.lines, message.dropped);
      break;
    case "live-schema":
      takeSchema(message.schema);
      break;
    case "live-history":
      takeHistory(message.binary, message.samples);
      break;
    case "live-sample":
      takeSample(message.binary, message.sample, message.skipped);
      break;
    case "live-lost":
      takeLost(message.binary);
      break;
    case "error":
      break;
  }
  for (const listener of listeners) listener(message);
}
