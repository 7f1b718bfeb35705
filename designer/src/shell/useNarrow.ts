import { useSyncExternalStore } from "react";

/** Below this the drawing has no room beside both side panels: one of them is shown at a time. */
const NARROW = "(max-width: 900px)";

function subscribe(changed: () => void): () => void {
  const narrow = matchMedia(NARROW);
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

/** Whether the window is narrow: a small one, or a usual one at 200 %. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
