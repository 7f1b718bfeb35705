import { setBuildProblems } from "../../kernel/problems/problemStore.js";
import { projectStore } from "../../kernel/server/projectStore.js";

/** What the last build said shows beside what the drawing says, until the next one starts. */
export function followBuildProblems(): () => void {
  return projectStore.subscribe((state, before) => {
    if (state.build.problems !== before.build.problems || state.project !== before.project)
      setBuildProblems([...state.build.problems]);
  });
}
