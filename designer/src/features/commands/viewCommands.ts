import { documentStore, setView, workbenchStore, type WorkbenchView } from "../../kernel/document/index.js";
import {
  alignSelection,
  distributeSelection,
  nudgeSelection,
  type Alignment,
} from "../../drawing/arrange/arrangeSelection.js";
import { arrangeAutomatically } from "../../drawing/arrange/autoLayout.js";
import { fit } from "../../drawing/screen/fit.js";
import { canvas } from "../../drawing/screen/instance.js";
import { openKeyboardSheet } from "./KeyboardSheet.js";
import { openCommandPalette } from "./CommandPalette.js";
import type { Command } from "../../registry/commands.js";

const onCanvas = () => canvas() !== undefined;
const selected = (count: number) => () =>
  onCanvas() && !documentStore.getState().readOnly && documentStore.getState().selection.length >= count;

const VIEWS: readonly { view: WorkbenchView; label: string; key: string }[] = [
  { view: "flow", label: "Flow", key: "1" },
  { view: "threads", label: "Threads", key: "2" },
  { view: "messages", label: "Messages", key: "3" },
  { view: "code", label: "Code", key: "4" },
];

const ALIGNMENTS: readonly { how: Alignment; label: string; key: string }[] = [
  { how: "left", label: "Align left edges", key: "Shift+ArrowLeft" },
  { how: "right", label: "Align right edges", key: "Shift+ArrowRight" },
  { how: "top", label: "Align top edges", key: "Shift+ArrowUp" },
  { how: "bottom", label: "Align bottom edges", key: "Shift+ArrowDown" },
  { how: "center", label: "Align centres in a column", key: "" },
  { how: "middle", label: "Align middles in a row", key: "" },
];

const NUDGES: readonly [string, number, number][] = [
  ["ArrowLeft", -1, 0],
  ["ArrowRight", 1, 0],
  ["ArrowUp", 0, -1],
  ["ArrowDown", 0, 1],
];

/** Where one looks, and how the drawing lies. */
export const viewCommands: readonly Command[] = [
  {
    name: "go.palette",
    label: "Find a command…",
    group: "go",
    shortcut: "Mod+K",
    everywhere: true,
    keyOnly: true,
    perform: openCommandPalette,
  },
  {
    name: "go.keys",
    label: "Keyboard and mouse",
    group: "go",
    shortcut: "?",
    perform: openKeyboardSheet,
  },
  ...VIEWS.map(({ view, label, key }): Command => ({
    name: `go.${view}`,
    label: `Show ${label}`,
    group: "go",
    shortcut: `Alt+${key}`,
    everywhere: true,
    when: () => workbenchStore.getState().view !== view,
    perform: () => setView(view),
  })),
  {
    name: "view.zoomIn",
    label: "Zoom in",
    group: "view",
    shortcut: ["+", "="],
    when: onCanvas,
    perform: () => void canvas()?.zoomIn({ duration: 120 }),
  },
  {
    name: "view.zoomOut",
    label: "Zoom out",
    group: "view",
    shortcut: "-",
    when: onCanvas,
    perform: () => void canvas()?.zoomOut({ duration: 120 }),
  },
  {
    name: "view.actual",
    label: "Actual size",
    group: "view",
    shortcut: "0",
    when: onCanvas,
    perform: () => void canvas()?.zoomTo(1, { duration: 120 }),
  },
  {
    name: "view.fit",
    label: "Fit to view",
    group: "view",
    shortcut: "F",
    when: onCanvas,
    perform: () => void fit(140),
  },
  {
    name: "arrange.auto",
    label: "Arrange automatically",
    group: "arrange",
    shortcut: "Mod+Shift+L",
    when: () => onCanvas() && !documentStore.getState().readOnly,
    perform: arrangeAutomatically,
  },
  ...ALIGNMENTS.map(({ how, label, key }): Command => ({
    name: `arrange.${how}`,
    label,
    group: "arrange",
    ...(key ? { shortcut: key } : {}),
    when: selected(2),
    perform: () => void alignSelection(how),
  })),
  {
    name: "arrange.distribute",
    label: "Distribute evenly",
    group: "arrange",
    when: selected(3),
    perform: () => void distributeSelection(),
  },
  ...NUDGES.map(([key, dx, dy]): Command => ({
    name: `arrange.nudge${key}`,
    label: "Move by a step",
    group: "arrange",
    shortcut: key,
    keyOnly: true,
    when: () => selected(1)() && workbenchStore.getState().view === "flow",
    perform: () => void nudgeSelection(dx, dy),
  })),
];
