import type { Block } from "./callBlocks.js";
import { ASPECT } from "./partsInRows.js";

const GAP = { x: 33, y: 44 };
/** Fewer stand well in a line. */
const FEWEST = 4;

/**
 * What no line leads to or from, as one block with rows and columns: a layout by lines has no place for them
 * but one row, which for twenty is wider than any screen.
 */
export function loneInGrid(blocks: readonly Block[], isLinked: (block: Block) => boolean): Block[] {
  const lone = blocks.filter((block) => block.places.length === 1 && !isLinked(block));
  const [first] = lone;
  if (!first || lone.length < FEWEST) return [...blocks];
  const wide = Math.max(...lone.map(({ width }) => width)) + GAP.x;
  const high = Math.max(...lone.map(({ height }) => height)) + GAP.y;
  const columns = Math.ceil(Math.sqrt((lone.length * ASPECT * high) / wide));
  const rows = Math.ceil(lone.length / columns);
  const grid: Block = {
    root: first.root,
    width: columns * wide - GAP.x,
    height: rows * high - GAP.y,
    places: lone.flatMap(({ places }, at) =>
      places.map((place) => ({ ...place, x: (at % columns) * wide, y: Math.floor(at / columns) * high })),
    ),
  };
  const merged = new Set(lone);
  return blocks.flatMap((block) => (block === first ? [grid] : merged.has(block) ? [] : [block]));
}
