import { createContext, useDeferredValue } from "react";

/** Whether the drawing is so far out that nodes are painted (drawing/paint/paintFar.ts) and not made of elements. */
export const FarContext = createContext(false);

/** Each of them is asked whenever the store changes: in larger drawings those out of sight are left out again. */
const MOST = 3000;

/**
 * Whether the page has an element for each node, also for those out of sight. Far out they are empty, and
 * almost all are in sight; with only those, React would go through the list of them in each frame of a zoom, to
 * add and remove a few. Coming from close up the others are added when there is time; going there they go
 * at once, before each of them becomes a card.
 */
export function useAllFarOut(far: boolean, count: number): boolean {
  const settled = useDeferredValue(far);
  return far && settled && count <= MOST;
}
