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
