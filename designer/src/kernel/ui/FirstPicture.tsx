import { createContext, startTransition, useContext, useEffect, useState, type ReactNode } from "react";
import { afterPicture } from "./whenIdle.js";

const Shown = createContext(true);

/**
 * Shows a project in two pictures: first the drawing, so that a large one is not waited for the longer, right
 * after it what stands around and above it.
 */
export function FirstPicture({ of, children }: { of: string; children: ReactNode }) {
  const [shown, setShown] = useState<string>();
  useEffect(
    () => (shown === of ? undefined : afterPicture(() => startTransition(() => setShown(of)))),
    [shown, of],
  );
  return <Shown value={shown === of}>{children}</Shown>;
}

/** Whether what is not the drawing itself may be made now. */
export const useAfterFirstPicture = (): boolean => useContext(Shown);
