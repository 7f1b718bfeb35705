import type { Box } from "../geometry/box.js";

/** What is painted on a line: where, in pixels of the view, and on which edge. */
export interface Said extends Box {
  edge: string;
}

let said: readonly Said[] = [];
let view: Element | undefined;

/** What the picture over the drawing says on lines now; `on`: that picture. */
export function setSaid(now: readonly Said[], on: Element | undefined): void {
  said = now;
  view = on;
}

/** The edge on which something is said at a client position; what was painted last lies above the others. */
export function lineSaidAt({ clientX, clientY }: { clientX: number; clientY: number }): string | undefined {
  if (!view) return undefined;
  const { left, top } = view.getBoundingClientRect();
  const [x, y] = [clientX - left, clientY - top];
  return said.findLast((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)
    ?.edge;
}
