import { createContext } from "react";

/** Whether the drawing is so far out that nodes are painted (drawing/paint/paintFar.ts) and not made of elements. */
export const FarContext = createContext(false);
