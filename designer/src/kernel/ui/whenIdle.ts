/** Longest wait for an idle moment; the browser usually has one sooner. */
const WITHIN_MS = 250;

/** Does something off the path of typing and dragging. Returns how to call it off. */
export const whenIdle: (work: () => void) => () => void =
  typeof requestIdleCallback === "function"
    ? (work) => {
        const id = requestIdleCallback(work, { timeout: WITHIN_MS });
        return () => cancelIdleCallback(id);
      }
    : (work) => {
        const id = setTimeout(work, 30);
        return () => clearTimeout(id);
      };

/** The same, after what has just changed is on the screen: else the idle moment is one while it is being drawn. */
export function afterPicture(work: () => void): () => void {
  let callOff = (): void => undefined;
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      callOff = whenIdle(work);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    callOff();
  };
}
