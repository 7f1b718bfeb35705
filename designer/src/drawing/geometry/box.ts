export interface Size {
  width: number;
  height: number;
}

/** Where a thing is drawn, in canvas units. */
export interface Box extends Size {
  x: number;
  y: number;
}

/** A thing that is drawn, with its size; bundles come out of what is in them. */
export interface Item {
  ref: string;
  size: Size;
  bundle: string | undefined;
}

export const contains = (box: Box, point: { x: number; y: number }): boolean =>
  point.x >= box.x && point.x <= box.x + box.width && point.y >= box.y && point.y <= box.y + box.height;

export const centreOf = (box: Box): { x: number; y: number } => ({
  x: box.x + box.width / 2,
  y: box.y + box.height / 2,
});

/** One box around all of them; none around none. */
export function boundsOf(boxes: readonly Box[]): readonly Box[] {
  const [first] = boxes;
  if (!first) return [];
  let [left, top, right, bottom] = [first.x, first.y, first.x, first.y];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return [{ x: left, y: top, width: right - left, height: bottom - top }];
}
