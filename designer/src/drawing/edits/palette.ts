import type { ServiceKind, Source } from "@penstock/codegen/topology";
import { setView, workbenchStore } from "../../kernel/document/index.js";
import { addNodeAt } from "./addNode.js";
import { nodeInfo } from "../../kernel/server/nodeStore.js";
import { addServiceAt, addSourceAt } from "./add.js";
import { middleOfCanvas } from "../instance.js";

/** What the palette offers and what is dragged out of it. */
export type PaletteItem =
  | { item: "service"; kind: ServiceKind }
  | { item: "source"; kind: Source["kind"] }
  | { item: "node"; type: string };

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

/** Draws what was dropped; the top left corner of the node comes a little left and above of the pointer. */
export function dropFromPalette(event: Dragged, at: { x: number; y: number }): boolean {
  const text = event.dataTransfer.getData(MIME);
  if (!text) return false;
  addFromPalette(JSON.parse(text) as PaletteItem, { x: at.x - 60, y: at.y - 28 });
  return true;
}

/** Draws one item of the palette with its corner at a canvas point. */
export function addFromPalette(item: PaletteItem, at: { x: number; y: number }): void {
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
