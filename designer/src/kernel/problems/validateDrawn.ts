import { documentStore } from "../document/index.js";
import { paletteStore } from "../server/paletteStore.js";
import { afterPicture } from "../ui/whenIdle.js";
import { loadChecks } from "./checks.js";
import { setDrawnProblems } from "./problemStore.js";
import { stillHolds } from "./stillHolds.js";

const isOpen = (): boolean => documentStore.getState().projectId !== null;

/**
 * Checks the drawing whenever it changed, off the path of typing and dragging, and says what is wrong with it on disk.
 * Returns how to stop.
 */
export function startValidation(): () => void {
  let cancel: (() => void) | undefined;
  let stopped = false;
  const check = async () => {
    cancel = undefined;
    // A server that is gone has no rules to give; the next change asks again.
    const rules = isOpen() ? await loadChecks().catch(() => undefined) : undefined;
    if (stopped) return;
    const { topology, damage } = documentStore.getState();
    const { palette, sourcePalette } = paletteStore.getState();
    // With what Generate refuses: without any of them the drawing can be built.
    const drawn =
      rules && isOpen()
        ? [
            ...rules.validateTopology(topology, palette, sourcePalette),
            ...rules.checkRunnable(topology, palette),
          ]
        : [];
    setDrawnProblems([...damage, ...drawn], (problem) => stillHolds(problem, topology, drawn));
  };
  const schedule = () => {
    cancel ??= afterPicture(() => void check());
  };
  const unsubscribe = documentStore.subscribe((state, before) => {
    const { topology, projectId, damage } = before;
    if (state.topology !== topology || state.projectId !== projectId || state.damage !== damage) schedule();
  });
  const unsubscribePalette = paletteStore.subscribe(schedule);
  schedule();
  return () => {
    unsubscribe();
    unsubscribePalette();
    cancel?.();
    stopped = true;
  };
}
