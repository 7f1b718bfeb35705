import type { ServiceKind } from "@penstock/codegen/topology";
import { documentStore } from "../../kernel/document/store.js";
import { setView, workbenchStore } from "../../kernel/document/workbench.js";
import { addNodeAt } from "./addNode.js";
import { nodeInfo } from "../../kernel/server/paletteStore.js";
import { addServiceAt, addSourceAt, addSourceBefore, loneServiceAt } from "./add.js";
import { isInView, middleOfCanvas } from "../screen/instance.js";
import { fit } from "../screen/fit.js";
import { flowRef } from "../../kernel/document/edits/flows.js";

/** What the palette offers and what is dragged out of it. */
export type PaletteItem =
  { item: "service"; kind: ServiceKind } | { item: "source"; kind: string } | { item: "node"; type: string };

/** Of a drag, what this reads: React has events of its own. */
interface Dragged {
  readonly dataTransfer: DataTransfer;
}

const MIME = "application/x-penstock-palette";

export function startPaletteDrag(event: Dragged, item: PaletteItem): void {
  event.dataTransfer.setData(MIME, JSON.stringify(item));
  event.dataTransfer.effectAllowed = "copy";
}

/** Whether something from the palette is over the canvas (its contents can be read only when dropped). */
export const dragData = (event: Dragged): boolean => event.dataTransfer.types.includes(MIME);

/** Draws what was dropped. */
export function dropFromPalette(event: Dragged, at: { x: number; y: number }): boolean {
  const text = event.dataTransfer.getData(MIME);
  if (!text) return false;
  addAtPointer(JSON.parse(text) as PaletteItem, at);
  return true;
}

/**
 * Draws one item of the palette at what the pointer is on: a source that is pointed at a service which nothing
 * leads into yet leads into it; anything else stands there, its corner a little left and above.
 */
export function addAtPointer(item: PaletteItem, pointer: { x: number; y: number }): void {
  const service = item.item === "source" ? loneServiceAt(documentStore.getState(), pointer) : undefined;
  if (item.item === "source" && service !== undefined) {
    bringIntoView(addSourceBefore(item.kind, service));
    return;
  }
  addAt(item, pointer);
}

/** Draws one item of the palette there, its corner a little left and above, whatever stands there. */
export function addAt(item: PaletteItem, { x, y }: { x: number; y: number }): void {
  addFromPalette(item, { x: x - 60, y: y - 28 });
}

/** It chose its place itself, so that it may be out of sight: then all that is drawn comes into it. */
function bringIntoView(flow: string): void {
  const place = documentStore.getState().layout.nodes[flowRef(flow)];
  if (place && !isInView(place)) requestAnimationFrame(() => void fit(140));
}

/** Draws one item of the palette with its corner at a canvas point. */
function addFromPalette(item: PaletteItem, at: { x: number; y: number }): void {
  if (item.item === "service") return void addServiceAt(item.kind, at);
  if (item.item === "source") return void addSourceAt(item.kind, at);
  const node = nodeInfo(item.type);
  if (node) addNodeAt(node, at);
}

/** A click draws into the middle of the canvas, a node behind what is selected. */
export function addInMiddle(item: PaletteItem): void {
  if (workbenchStore.getState().view !== "flow") setView("flow");
  const node = item.item === "node" ? nodeInfo(item.type) : undefined;
  if (node) addNodeAt(node, undefined);
  else addFromPalette(item, middleOfCanvas());
}
