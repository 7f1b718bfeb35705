import { setBuildProblems } from "../../kernel/problems/problemStore.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { setDockTab } from "../../kernel/document/index.js";
import { isRefused, sayRefused } from "../../kernel/run/sayRefused.js";

/** What the last build said shows beside what the drawing says, until the next one starts. */
export function followBuildProblems(): () => void {
  return projectStore.subscribe((state, before) => {
    if (state.build.problems !== before.build.problems || state.project !== before.project)
      setBuildProblems([...state.build.problems]);
  });
}

/** Brings the tab of what has just failed to the front, whoever began it. */
export function frontFailed(): () => void {
  return projectStore.subscribe((state, before) => {
    // What comes when a project is opened failed some other day.
    if (state.project !== before.project) return;
    const failed = (part: "build" | "bench" | "load") =>
      state[part].phase === "failed" && before[part].phase !== "failed" && before[part].phase !== "idle";
    if (failed("build")) {
      setDockTab(state.build.problems.length > 0 ? "problems" : "build");
      if (isRefused(state.build.problems)) sayRefused("Not built", state.build.problems);
    } else if (failed("bench")) setDockTab("bench");
    else if (failed("load")) setDockTab("load");
  });
}
