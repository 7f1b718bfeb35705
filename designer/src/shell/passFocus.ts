import { useLayoutEffect, type RefObject } from "react";

/** Whether what has just left the page had the focus. */
export type HeldFocus = RefObject<boolean>;

/**
 * Of two parts of the frame that stand for each other, like the dock and the bar that unfolds it: the one that
 * comes takes the focus from the one that goes, to the button inside of it that brings the other back.
 */
export function usePassedFocus(
  heldRef: HeldFocus,
  part: RefObject<HTMLElement | null>,
  back: RefObject<HTMLButtonElement | null>,
): void {
  useLayoutEffect(() => {
    const element = part.current;
    if (heldRef.current) back.current?.focus();
    heldRef.current = false;
    return () => {
      // Asked before the element leaves the page: afterwards nothing has the focus.
      heldRef.current = element?.contains(document.activeElement) ?? false;
    };
  }, [heldRef, part, back]);
}
