import { snapped } from "../../kernel/document/edits/layout.js";
import type { Box } from "../geometry/box.js";

/** Wider than high by so much, as screens are. */
const WIDE = 1.3;
/** What is higher than wide by more than this is hard to read on a screen. */
const TOO_HIGH = 2;
const GAP = 110;

/**
 * Where boxes go that stand in layers from top to bottom: long chains of calls would be a strip that is readable at no
 * zoom, so they go on at the top beside where they ended. Boxes that fit a screen's shape stay.
 */
export function inBands(boxes: ReadonlyMap<string, Box>): Map<string, { x: number; y: number }> {
  const all = [...boxes.values()];
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.min(...all.map(({ y }) => y));
  const width = Math.max(...all.map((box) => box.x + box.width)) - left;
  const height = Math.max(...all.map((box) => box.y + box.height)) - top;
  const bands = height > TOO_HIGH * width ? Math.ceil(Math.sqrt((WIDE * height) / (width + GAP))) : 1;
  const places = new Map<string, { x: number; y: number }>();
  let band = 0;
  let bandTop = top;
  for (const layer of layersOf(boxes)) {
    if (band + 1 < bands && layer.top - top >= ((band + 1) * height) / bands) {
      band += 1;
      bandTop = layer.top;
    }
    for (const [ref, { x, y }] of layer.boxes)
      places.set(ref, { x: snapped(x + band * (width + GAP)), y: snapped(y - bandTop + top) });
  }
  return places;
}

/** Boxes that overlap from top to bottom, downwards. */
function layersOf(boxes: ReadonlyMap<string, Box>): { top: number; boxes: [string, Box][] }[] {
  const layers: { top: number; boxes: [string, Box][] }[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const entry of [...boxes].sort(([, a], [, b]) => a.y - b.y)) {
    const [, box] = entry;
    if (box.y >= bottom) layers.push({ top: box.y, boxes: [] });
    layers.at(-1)!.boxes.push(entry);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return layers;
}
