import { type NodeRef, parseNodeRef } from "@penstock/codegen/topology";
import { createStore } from "zustand/vanilla";
import { documentStore, select } from "./store.js";

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
  /** Grows each time somebody goes to the code, so that the keyboard does, too. */
  readonly codeCount: number;
  /** Grows each time something asks the canvas to bring `revealed` into view. */
  readonly revealCount: number;
  readonly revealed: string | null;
}

export const workbenchStore = createStore<WorkbenchState>(() => ({
  view: "flow",
  dockTab: "problems",
  codeNode: null,
  codeImplementation: null,
  codeCount: 0,
  revealCount: 0,
  revealed: null,
}));

export const setView = (view: WorkbenchView): void =>
  workbenchStore.setState(({ codeCount }) => ({
    view,
    codeCount: view === "code" ? codeCount + 1 : codeCount,
  }));
export const setDockTab = (dockTab: DockTab): void => workbenchStore.setState({ dockTab });

/** What has the code of a thing: services and flows have files, a stage shows its service's. */
export function codeOf(ref: string | null | undefined): NodeRef | undefined {
  const parsed = ref ? parseNodeRef(ref) : undefined;
  if (parsed?.kind === "service" || parsed?.kind === "flow") return ref as NodeRef;
  if (parsed?.kind !== "stage") return undefined;
  const [flow, id] = parsed.path;
  const stage = documentStore
    .getState()
    .topology.flows.find((one) => one.name === flow)
    ?.stages.find((one) => one.id === id);
  return stage ? (`service:${stage.service}` as NodeRef) : undefined;
}

/** Shows the handler's C++ beside the graph. What is selected stays so where it has that code: a stage, say. */
export const openCode = (ref: NodeRef, implementation?: string): void => {
  if (codeOf(documentStore.getState().selection[0]) !== ref) select(ref);
  workbenchStore.setState(({ codeCount }) => ({
    view: "code",
    codeNode: ref,
    codeImplementation: implementation ?? null,
    codeCount: codeCount + 1,
  }));
};

/** The code view shows what is selected again. */
export const forgetCode = (): void => workbenchStore.setState({ codeNode: null, codeImplementation: null });

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
