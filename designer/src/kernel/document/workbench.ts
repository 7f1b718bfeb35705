import { type NodeRef, parseNodeRef } from "@penstock/codegen/topology";
import { createStore } from "zustand/vanilla";
import { select } from "./store.js";

export type WorkbenchView = "flow" | "threads" | "messages" | "code";
export type DockTab = "problems" | "build" | "logs" | "metrics" | "bench" | "load" | "trace";

/** What the window shows; never saved with the document. */
export interface WorkbenchState {
  readonly view: WorkbenchView;
  readonly dockTab: DockTab;
  /** Whose handler the code view shows; null: whatever is selected. */
  readonly codeNode: NodeRef | null;
  /** Which implementation of it, where it has several. */
  readonly codeImplementation: string | null;
  /** Grows each time something asks the canvas to bring `revealed` into view. */
  readonly revealCount: number;
  readonly revealed: string | null;
}

export const workbenchStore = createStore<WorkbenchState>(() => ({
  view: "flow",
  dockTab: "problems",
  codeNode: null,
  codeImplementation: null,
  revealCount: 0,
  revealed: null,
}));

export const setView = (view: WorkbenchView): void => workbenchStore.setState({ view });
export const setDockTab = (dockTab: DockTab): void => workbenchStore.setState({ dockTab });

/** Shows the handler's C++ beside the graph. */
export const openCode = (ref: NodeRef, implementation?: string): void => {
  select(ref);
  workbenchStore.setState({ view: "code", codeNode: ref, codeImplementation: implementation ?? null });
};

/** The view in which a thing is looked at. */
function viewOf(ref: string, current: WorkbenchView): WorkbenchView {
  const kind = parseNodeRef(ref)?.kind;
  if (kind === "message" || kind === "enum") return "messages";
  if (kind === "pool" || kind === "binary") return "threads";
  return current === "code" ? "code" : "flow";
}

/** Goes to a thing: its view, selected, in the middle of the canvas. */
export function reveal(ref: string): void {
  select(ref);
  workbenchStore.setState((state) => ({
    view: viewOf(ref, state.view),
    revealed: ref,
    revealCount: state.revealCount + 1,
  }));
}
