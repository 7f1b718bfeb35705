import {
  documentStore,
  openCode,
  redo,
  select,
  undo,
  workbenchStore,
  edit,
} from "../../kernel/document/index.js";
import { removeBundle } from "../../kernel/document/edits/bundles.js";
import { copySelection, duplicateSelection, pasteClipboard } from "../../drawing/edits/clipboard.js";
import { groupSelection } from "../../drawing/edits/group.js";
import { removeSelection } from "../../drawing/edits/remove.js";
import { serviceOfNode } from "../../drawing/edits/connect.js";
import { drawnItems } from "../../drawing/geometry/boxes.js";
import { canvas, pointerOrMiddle, toCanvasPoint } from "../../drawing/screen/instance.js";
import { isNameShown, startNaming } from "../../drawing/screen/naming.js";
import { closePopup, openPopup } from "../../registry/popups.js";
import { startRename } from "../../kernel/fields/renameRequest.js";
import type { Command } from "../../registry/commands.js";

const state = () => documentStore.getState();
const writable = () => !state().readOnly && state().projectId !== null;
const somethingSelected = () => state().selection.length > 0;
const canChange = () => writable() && somethingSelected();
/** Text marked on the page (a log, an error) is what Copy means then. */
const textMarked = () => (window.getSelection()?.toString() ?? "") !== "";
const drawingShown = () => workbenchStore.getState().view !== "messages";
/** In the Messages view a stray Delete must not take the message along; from the tree it is meant. */
const mayDelete = () =>
  canChange() && (drawingShown() || Boolean(document.activeElement?.closest("[role=tree]")));
const bundlesSelected = () => state().selection.filter((id) => id.startsWith("bundle:"));

/** What changes the drawing as a whole or what is selected of it. */
export const editCommands: readonly Command[] = [
  {
    name: "edit.undo",
    label: "Undo",
    group: "edit",
    shortcut: "Mod+Z",
    when: () => writable() && state().past.length > 0,
    perform: () => void undo(),
  },
  {
    name: "edit.redo",
    label: "Redo",
    group: "edit",
    shortcut: ["Mod+Shift+Z", "Mod+Y"],
    when: () => writable() && state().future.length > 0,
    perform: () => void redo(),
  },
  {
    name: "edit.copy",
    label: "Copy",
    group: "edit",
    shortcut: "Mod+C",
    when: () => somethingSelected() && !textMarked(),
    perform: () => void copySelection(),
  },
  {
    name: "edit.cut",
    label: "Cut",
    group: "edit",
    shortcut: "Mod+X",
    when: () => canChange() && !textMarked(),
    perform: () => void (copySelection() && removeSelection()),
  },
  {
    name: "edit.paste",
    label: "Paste",
    group: "edit",
    shortcut: "Mod+V",
    when: writable,
    perform: async () => void (await pasteClipboard(toCanvasPoint(pointerOrMiddle()))),
  },
  {
    name: "edit.duplicate",
    label: "Duplicate",
    group: "edit",
    shortcut: "Mod+D",
    when: canChange,
    perform: () => void duplicateSelection(),
  },
  {
    name: "edit.delete",
    label: "Delete",
    group: "edit",
    shortcut: ["Delete", "Backspace"],
    when: mayDelete,
    perform: () => void removeSelection(),
  },
  {
    name: "edit.selectAll",
    label: "Select all",
    group: "edit",
    shortcut: "Mod+A",
    when: drawingShown,
    perform: () => select(drawnItems(state().topology).map((item) => item.ref)),
  },
  {
    name: "edit.deselect",
    label: "Select nothing",
    group: "edit",
    shortcut: "Escape",
    keyOnly: true,
    when: somethingSelected,
    perform: () => {
      closePopup();
      select([]);
    },
  },
  {
    name: "edit.group",
    label: "Group into a bundle",
    group: "edit",
    shortcut: "Mod+G",
    when: canChange,
    perform: () => void groupSelection(),
  },
  {
    name: "edit.ungroup",
    label: "Dissolve the bundle",
    group: "edit",
    shortcut: "Mod+Shift+G",
    when: () => writable() && bundlesSelected().length > 0,
    perform: () => {
      const bundles = bundlesSelected().map((id) => id.slice("bundle:".length));
      edit("Dissolve the bundle", (model) => bundles.reduce(removeBundle, model), { select: [] });
    },
  },
  {
    name: "edit.moveToBinary",
    label: "Move to binary…",
    group: "edit",
    when: () => canvas() !== undefined && writable() && bundlesSelected().length > 0,
    perform: () => {
      const [target = null] = bundlesSelected();
      openPopup({ kind: "context", at: pointerOrMiddle(), target, only: "binaries" });
    },
  },
  {
    name: "edit.rename",
    label: "Rename",
    group: "edit",
    shortcut: "F2",
    // Whoever has found something by its name stands in the search field.
    everywhere: true,
    when: () => writable() && state().selection.length === 1,
    perform: () => {
      const [id = ""] = state().selection;
      if (isNameShown(id)) return startNaming(id);
      const service = serviceOfNode(state().topology, id);
      startRename(service === undefined ? id : `service:${service}`);
    },
  },
  {
    name: "edit.code",
    label: "Edit the handler",
    group: "go",
    shortcut: "Enter",
    when: () => serviceOfNode(state().topology, state().selection[0] ?? "") !== undefined,
    perform: () => {
      const service = serviceOfNode(state().topology, state().selection[0] ?? "");
      if (service !== undefined) openCode(`service:${service}`);
    },
  },
];
