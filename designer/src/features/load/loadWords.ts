import type { LoadReport, LoadStatus } from "@penstock/codegen/contract";
import { drawnTarget } from "../../kernel/run/loadedFlow.js";

/** What is loaded, for the head of the panel: most projects have one binary. */
export function targetWords({ target: loaded }: LoadReport): string {
  const target = drawnTarget(loaded);
  return target.kind === "flow" ? target.flow : `${target.method} ${target.url}`;
}

const TITLES = {
  idle: "",
  starting: "Starting",
  loading: "Loading",
  broke: "Broke",
  ended: "Done",
  interrupted: "Stopped",
  failed: "Failed",
} as const;

/** The state of the load in a word; a load of an earlier day is told by its outcome, one of which nothing was done has failed. */
export function titleOf({ phase, report, problems }: LoadStatus): string {
  const title = TITLES[phase === "idle" && report ? report.outcome : phase];
  const isWrong = problems.some(({ severity }) => severity === "error");
  return isWrong && (title === "Done" || title === "Broke") ? TITLES.failed : title;
}

/** How much of the load is done, or of the step where only a breaking point ends it; 0 to 1. */
export const progressOf = ({ settings, seconds, lengthS }: LoadReport): number =>
  lengthS === null
    ? (seconds.length % settings.periodS) / settings.periodS
    : Math.min(1, seconds.length / lengthS);
