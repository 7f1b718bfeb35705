import type { Box, Size } from "./box.js";

/** Free space around what the map shows, as a share of its size. */
const MARGIN = 0.06;

/** The part of the drawing that a canvas of this size shows. */
export const shownOn = (
  width: number,
  height: number,
  [x, y, zoom]: readonly [number, number, number],
): Box => ({ x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom });

export interface MapScale {
  toMap: (box: Box) => Box;
  toDrawing: (at: { x: number; y: number }) => { x: number; y: number };
}

/** Shows all boxes, and what is on the screen, in the middle of a map of this size. */
export function mapScale(boxes: readonly Box[], view: Box, size: Size): MapScale {
  let [left, top, right, bottom] = [view.x, view.y, view.x + view.width, view.y + view.height];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  const width = Math.max(1, right - left);
  const height = Math.max(1, bottom - top);
  const scale = (1 - 2 * MARGIN) * Math.min(size.width / width, size.height / height);
  const x = (size.width - width * scale) / 2 - left * scale;
  const y = (size.height - height * scale) / 2 - top * scale;
  return {
    toMap: (box) => ({
      x: box.x * scale + x,
      y: box.y * scale + y,
      width: box.width * scale,
      height: box.height * scale,
    }),
    toDrawing: (at) => ({ x: (at.x - x) / scale, y: (at.y - y) / scale }),
  };
}
