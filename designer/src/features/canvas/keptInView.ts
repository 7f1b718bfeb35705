import type { Viewport } from "@xyflow/react";
import type { Box, Size } from "../../drawing/geometry/box.js";

/** Between what is kept in view and the rim, px. */
const RIM = 16;

/**
 * Where the drawing has to lie for a box that was seen before the view became smaller to be seen whole; undefined
 * where nothing has to move, and for what is as large as the view.
 */
export function keptInView(viewport: Viewport, box: Box, before: Size, now: Size): Viewport | undefined {
  const { x, y, zoom } = viewport;
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  const [right, bottom] = [left + box.width * zoom, top + box.height * zoom];
  if (right <= 0 || bottom <= 0 || left >= before.width || top >= before.height) return undefined;
  if (right - left + 2 * RIM > now.width || bottom - top + 2 * RIM > now.height) return undefined;
  const dx = Math.min(0, now.width - RIM - right);
  const dy = Math.min(0, now.height - RIM - bottom);
  return dx === 0 && dy === 0 ? undefined : { x: x + dx, y: y + dy, zoom };
}
