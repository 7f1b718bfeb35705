import { checkRunnable, validateTopology } from "@penstock/codegen/validate";
import { documentStore } from "../document/index.js";
import { paletteStore } from "../server/nodeStore.js";
import { whenIdle } from "../ui/whenIdle.js";
import { setDrawnProblems } from "./problemStore.js";
import { stillHolds } from "./stillHolds.js";

/** Checks the drawing whenever it changed, off the path of typing and dragging. Returns how to stop. */
export function startValidation(): () => void {
  let cancel: (() => void) | undefined;
  const check = () => {
    cancel = undefined;
    const { projectId, topology } = documentStore.getState();
    // With what Generate refuses: without any of them the drawing can be built.
    const drawn =
      projectId === null
        ? []
        : [...validateTopology(topology, paletteStore.getState().palette), ...checkRunnable(topology)];
    setDrawnProblems(drawn, (problem) => stillHolds(problem, topology, drawn));
  };
  const schedule = () => {
    cancel ??= whenIdle(check);
  };
  const unsubscribe = documentStore.subscribe((state, before) => {
    if (state.topology !== before.topology || state.projectId !== before.projectId) schedule();
  });
  const unsubscribePalette = paletteStore.subscribe(schedule);
  schedule();
  return () => {
    unsubscribe();
    unsubscribePalette();
    cancel?.();
  };
}
