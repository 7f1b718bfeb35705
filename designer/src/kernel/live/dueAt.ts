import { projectStore } from "../server/projectStore.js";

/** Events a second that a load asked of a flow (`flow:Ticks`) at a moment, seconds since the epoch; null when none did. */
export function dueAt(target: string, at: number): number | null {
  const { report, phase } = projectStore.getState().load;
  if (report?.target.kind !== "flow" || target !== `flow:${report.target.flow}`) return null;
  const { seconds, startedAtMs } = report;
  const second = Math.floor(at - startedAtMs / 1000);
  // A second is told at its end: until then the last one known stands for it.
  const last = phase === "loading" && second >= seconds.length ? seconds.length - 1 : second;
  return seconds[last]?.target ?? null;
}
