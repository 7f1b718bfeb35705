import { documentStore, edit, reveal, workbenchStore } from "../../kernel/document/index.js";
import { addBinary, freshBinaryName, newBinary } from "../../kernel/document/edits/binaries.js";
import { addBundle, freshBundleName } from "../../kernel/document/edits/bundles.js";
import {
  addEnum,
  addMessage,
  freshEnumName,
  freshMessageName,
} from "../../kernel/document/edits/messages.js";
import { addAt, addAtPointer } from "../../drawing/edits/palette.js";
import { isPointing, pointerOrMiddle, toCanvasPoint } from "../../drawing/screen/instance.js";
import { openPopup } from "../../registry/popups.js";
import { STANDARD_SOURCES } from "@penstock/codegen/sources";
import { paletteOf } from "../../registry/palette.js";
import { startRename } from "../../kernel/fields/renameRequest.js";
import type { Command } from "../../registry/commands.js";

/** Puts the cursor into the name of something new, once it is shown. */
const renameSoon = (ref: string) => void setTimeout(() => startRename(ref), 50);

const writable = () => documentStore.getState().projectId !== null && !documentStore.getState().readOnly;
const drawing = () => writable() && workbenchStore.getState().view === "flow";

/** New things: those of the palette at the pointer, and what has no place on the canvas. */
export const addCommands: readonly Command[] = [
  ...paletteOf([...STANDARD_SOURCES.values()]).map((entry): Command => ({
    name: `add.${entry.icon}`,
    label: `Add ${entry.label.toLowerCase()}`,
    group: "add",
    ...(entry.key ? { shortcut: entry.key } : {}),
    when: drawing,
    // What happens to stand in the middle is not pointed at.
    perform: () => (isPointing() ? addAtPointer : addAt)(entry.add, toCanvasPoint(pointerOrMiddle())),
  })),
  {
    name: "add.quick",
    label: "Add at the pointer…",
    group: "add",
    shortcut: "Space",
    when: drawing,
    perform: () => {
      const at = pointerOrMiddle();
      openPopup({ kind: "add", at, canvas: toCanvasPoint(at) });
    },
  },
  {
    name: "add.message",
    label: "Add message",
    group: "add",
    when: writable,
    perform: () => {
      const name = freshMessageName(documentStore.getState().topology);
      edit(`Add message ${name}`, (model) => addMessage(model, name));
      reveal(`message:${name}`);
      renameSoon(`message:${name}`);
    },
  },
  {
    name: "add.enum",
    label: "Add enum",
    group: "add",
    when: writable,
    perform: () => {
      const name = freshEnumName(documentStore.getState().topology);
      edit(`Add enum ${name}`, (model) => addEnum(model, name));
      reveal(`enum:${name}`);
      renameSoon(`enum:${name}`);
    },
  },
  {
    name: "add.bundle",
    label: "Add empty bundle",
    group: "add",
    when: writable,
    perform: () => {
      const name = freshBundleName(documentStore.getState().topology);
      edit(`Add bundle ${name}`, (model) => addBundle(model, name, { services: [], flows: [] }));
      reveal(`bundle:${name}`);
    },
  },
  {
    name: "add.binary",
    label: "Add binary",
    group: "add",
    when: writable,
    perform: () => {
      const { topology } = documentStore.getState();
      const served = new Set(topology.binaries.flatMap((binary) => binary.bundles));
      const bundles = topology.bundles.map((bundle) => bundle.name).filter((name) => !served.has(name));
      const name = freshBinaryName(topology, bundles[0]);
      edit(`Add binary ${name}`, (model) => addBinary(model, newBinary(name, bundles)));
      reveal(`binary:${name}`);
    },
  },
];
