import type { LoadTarget } from "@penstock/codegen/contract";
import { asRunning, drawnFlow, drawnName } from "../live/liveStore.js";
import { isLoading, projectStore, type ProjectState } from "../server/projectState.js";

/** What is loaded, by the names that it is drawn by. */
export const drawnTarget = (target: LoadTarget): LoadTarget =>
  target.kind === "flow"
    ? { ...target, binary: drawnName(target.binary), flow: drawnFlow(target.binary, target.flow) }
    : target;

/** What is to be loaded, by the names that it runs by. */
export function runningTarget(target: LoadTarget): LoadTarget {
  if (target.kind !== "flow") return target;
  const running = asRunning(target.binary, { flow: target.flow });
  return running ? { ...target, binary: running.binary, ...running.params } : target;
}

const flowOf = (target: LoadTarget | undefined): string | null =>
  target?.kind === "flow" ? drawnFlow(target.binary, target.flow) : null;

/** The flow whose rate a load steers right now. */
export const loadedFlow = ({ load }: Pick<ProjectState, "load">): string | null =>
  isLoading({ load }) ? flowOf(load.report?.target) : null;

/** Events a second that a load asked of a flow (`flow:Ticks`) at a moment, seconds since the epoch; null when none did. */
export function dueAt(target: string, at: number): number | null {
  const { report, phase } = projectStore.getState().load;
  if (!report || target !== `flow:${flowOf(report.target)}`) return null;
  const { seconds, startedAtMs } = report;
  const second = Math.floor(at - startedAtMs / 1000);
  // A second is told at its end: until then the last one known stands for it.
  const last = phase === "loading" && second >= seconds.length ? seconds.length - 1 : second;
  return seconds[last]?.target ?? null;
}
