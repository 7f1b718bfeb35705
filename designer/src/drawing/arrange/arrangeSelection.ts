import { documentStore, edit } from "../../kernel/document/store.js";
import { GRID, placed } from "../../kernel/document/edits/layout.js";
import type { Box } from "../geometry/box.js";
import { canvasBoxes } from "../geometry/boxes.js";

export type Alignment = "left" | "center" | "right" | "top" | "middle" | "bottom";

/** The selected nodes that stand by themselves (bundles follow what is in them). */
function selectedBoxes(): [string, Box][] {
  const { topology, layout, selection } = documentStore.getState();
  const boxes = canvasBoxes(topology, layout);
  return selection.flatMap((id): [string, Box][] => {
    const box = boxes.get(id);
    return box && !id.startsWith("bundle:") ? [[id, box]] : [];
  });
}

/** Lines the selected nodes up. */
export function alignSelection(how: Alignment): boolean {
  const boxes = selectedBoxes();
  if (boxes.length < 2) return false;
  const left = Math.min(...boxes.map(([, box]) => box.x));
  const right = Math.max(...boxes.map(([, box]) => box.x + box.width));
  const top = Math.min(...boxes.map(([, box]) => box.y));
  const bottom = Math.max(...boxes.map(([, box]) => box.y + box.height));
  const place = (box: Box): { x: number; y: number } => {
    if (how === "left") return { x: left, y: box.y };
    if (how === "right") return { x: right - box.width, y: box.y };
    if (how === "center") return { x: (left + right - box.width) / 2, y: box.y };
    if (how === "top") return { x: box.x, y: top };
    if (how === "bottom") return { x: box.x, y: bottom - box.height };
    return { x: box.x, y: (top + bottom - box.height) / 2 };
  };
  return edit(`Align ${how}`, (model) =>
    placed(model, Object.fromEntries(boxes.map(([id, box]) => [id, place(box)]))),
  );
}

/** Equal gaps between the selected nodes, in the direction in which they lie apart most. */
export function distributeSelection(): boolean {
  const boxes = selectedBoxes();
  if (boxes.length < 3) return false;
  const spread = (axis: "x" | "y") =>
    Math.max(...boxes.map(([, box]) => box[axis])) - Math.min(...boxes.map(([, box]) => box[axis]));
  const axis = spread("x") >= spread("y") ? "x" : "y";
  const size = axis === "x" ? "width" : "height";
  const sorted = [...boxes].sort(([, a], [, b]) => a[axis] - b[axis]);
  const first = sorted[0]?.[1];
  const last = sorted.at(-1)?.[1];
  if (!first || !last) return false;
  const total = last[axis] + last[size] - first[axis];
  const gap = (total - sorted.reduce((sum, [, box]) => sum + box[size], 0)) / (sorted.length - 1);
  let at = first[axis];
  const places: Record<string, { x: number; y: number }> = {};
  for (const [id, box] of sorted) {
    places[id] = { x: box.x, y: box.y, [axis]: Math.round(at) };
    at += box[size] + gap;
  }
  return edit("Distribute", (model) => placed(model, places));
}

/** Moves the selection by whole grid steps; a burst of arrow keys is one undo step. */
export function nudgeSelection(dx: number, dy: number): boolean {
  const boxes = selectedBoxes();
  if (boxes.length === 0) return false;
  const places = Object.fromEntries(
    boxes.map(([id, box]) => [id, { x: box.x + dx * GRID, y: box.y + dy * GRID }]),
  );
  return edit("Move", (model) => placed(model, places), { coalesce: "nudge" });
}
