import type { ProjectDocument, Rename } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import { emptyLayout, type Layout, type Topology } from "@penstock/codegen/topology";
import { createStore } from "zustand/vanilla";
import { emptyHistory, joinedRenames, recorded, redone, undone, type HistoryEntry } from "./history.js";
import type { DocumentModel, Edit, EditOptions } from "./model.js";
import { followed, type NameChange } from "./nameChange.js";

export interface SaveStatus {
  state: "saved" | "unsaved" | "saving" | "failed" | "conflict" | "readonly";
  /** One line for people; "" when all is well. */
  message: string;
}

/** The one truth of what is drawn. Live figures are never in here (see live/). */
export interface DocumentState extends DocumentModel {
  /** Null while no project is open. */
  readonly projectId: string | null;
  /** What the project's folder is called; "" while that is not known. */
  readonly folder: string;
  readonly revision: string;
  readonly readOnly: boolean;
  readonly readOnlyReason: string;
  /** Node references and edge ids (`call:A/B`, `flow:F/stage`); not part of the history. */
  readonly selection: readonly string[];
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
  /** Renames since the last save, so that user files follow. */
  readonly renames: readonly Rename[];
  /** Every rename since the project was opened, those that were taken back with what took them back. */
  readonly names: readonly NameChange[];
  readonly save: SaveStatus;
  /** The other side's document while save is a conflict. */
  readonly conflict: ProjectDocument | null;
  /** Why what is on disk cannot be read, while it cannot: what is shown is from before. Else none. */
  readonly damage: readonly Problem[];
}

export const emptyTopology = (name: string): Topology => ({
  penstock: 1,
  name,
  messages: [],
  enums: [],
  services: [],
  flows: [],
  bundles: [],
  binaries: [],
});

const closed: DocumentState = {
  projectId: null,
  folder: "",
  topology: emptyTopology("untitled"),
  layout: emptyLayout(),
  revision: "",
  readOnly: false,
  readOnlyReason: "",
  selection: [],
  ...emptyHistory,
  renames: [],
  names: [],
  save: { state: "saved", message: "" },
  conflict: null,
  damage: [],
};

export const documentStore = createStore<DocumentState>(() => closed);

/** Shows a project: history and selection start afresh. */
export function showDocument(opened: {
  projectId: string;
  folder?: string;
  topology: Topology;
  layout: Layout;
  revision: string;
  readOnly: boolean;
  readOnlyReason: string;
}): void {
  documentStore.setState({
    ...closed,
    ...opened,
    save: opened.readOnly
      ? { state: "readonly", message: opened.readOnlyReason }
      : { state: "saved", message: "" },
  });
}

export const closeDocument = (): void => documentStore.setState(closed);

/** The same list where nothing was renamed: who follows names looks at its identity. */
const withNames = (names: readonly NameChange[], more: readonly NameChange[]): readonly NameChange[] =>
  more.length === 0 ? names : [...names, ...more];

/** Runs before every edit, on the model it gets; see `prepareEditsWith`. */
let prepare: Edit = (model) => model;

/**
 * Sets what is done to a model before it is edited, within the same step: the canvas writes down
 * where things lie that nobody has placed yet, so that an edit of one thing moves no other.
 */
export const prepareEditsWith = (edit: Edit): void => {
  prepare = edit;
};

/**
 * Runs one named edit and records it. Does nothing on a read-only document and when the edit
 * returns the model it was given. Returns whether anything changed.
 */
export function edit(label: string, change: Edit, options: EditOptions = {}): boolean {
  const state = documentStore.getState();
  if (state.readOnly) return false;
  const before: DocumentModel = { topology: state.topology, layout: state.layout };
  const base = prepare(before);
  const after = change(base);
  const selection = options.select ? { selection: options.select } : {};
  if (after === base || (after.topology === base.topology && after.layout === base.layout)) {
    if (options.select) documentStore.setState(selection);
    return false;
  }
  const history = recorded(state, before, label, Date.now(), options);
  documentStore.setState({
    topology: after.topology,
    layout: after.layout,
    ...history,
    ...selection,
    renames: joinedRenames(state.renames, options.renames ?? []),
    names: withNames(state.names, options.names ?? []),
    save: afterEdit(state.save),
  });
  return true;
}

function travel(step: ReturnType<typeof undone>): boolean {
  const state = documentStore.getState();
  if (!step || state.readOnly) return false;
  // What is selected may have its other name again.
  const selection = state.selection.map((id) => followed(id, step.names));
  documentStore.setState({
    topology: step.model.topology,
    layout: step.model.layout,
    ...step.history,
    ...(sameSelection(selection, state.selection) ? {} : { selection }),
    renames: joinedRenames(state.renames, step.renames),
    names: withNames(state.names, step.names),
    save: afterEdit(state.save),
  });
  return true;
}

/** Takes back the last step; false when there is none. */
export const undo = (): boolean => {
  const state = documentStore.getState();
  return travel(undone(state, { topology: state.topology, layout: state.layout }));
};

/** Does the last undone step again; false when there is none. */
export const redo = (): boolean => {
  const state = documentStore.getState();
  return travel(redone(state, { topology: state.topology, layout: state.layout }));
};

/** A conflict stays one until somebody decides it; everything else is waiting to be saved. */
const afterEdit = (save: SaveStatus): SaveStatus =>
  save.state === "conflict" ? save : { state: "unsaved", message: "" };

const sameSelection = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** Selects exactly these things; leaves no trace in the history. */
export function select(ids: string | readonly string[]): void {
  const selection = typeof ids === "string" ? [ids] : [...ids];
  if (!sameSelection(documentStore.getState().selection, selection)) documentStore.setState({ selection });
}
