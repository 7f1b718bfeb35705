import { createStore } from "zustand/vanilla";

/** Pop-ups of the canvas: at most one is open. Positions are client pixels. */
export interface Point {
  x: number;
  y: number;
}
export type CanvasPopup =
  | { kind: "none" }
  | { kind: "join"; at: Point; flow: string; stage: string }
  /** `only`: of what can be done with a bundle, where it can be moved to. */
  | { kind: "context"; at: Point; target: string | null; only?: "binaries" }
  /** Quick add: `from` is the port a line was drawn from, `edge` the edge it goes onto. */
  | { kind: "add"; at: Point; canvas: Point; from?: { node: string; handle: string }; edge?: string };

export const popupStore = createStore<{ popup: CanvasPopup }>(() => ({ popup: { kind: "none" } }));

export const closePopup = (): void => popupStore.setState({ popup: { kind: "none" } });
export const openPopup = (popup: CanvasPopup): void => popupStore.setState({ popup });
export const openJoinMenu = (at: Point, flow: string, stage: string): void =>
  openPopup({ kind: "join", at, flow, stage });
