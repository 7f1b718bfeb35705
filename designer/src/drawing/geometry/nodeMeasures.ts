/**
 * Where things are inside a drawn node, in flow pixels: the canvas draws the box with these, the
 * live overlay paints into it, so both agree without measuring the page.
 */
export const NODE_HEADER = 55;
/** Rows of a service with several implementations: padding above the first, then one each. */
export const NODE_ROWS_PAD = 4;
export const NODE_ROW = 20;
/** The live strip at the foot, which includes the bar of NODE_BAR along the lower edge. */
export const NODE_STRIP = 30;
export const NODE_BAR = 3;
export const NODE_RADIUS = 10;
export const NODE_PAD = 11;
/** The bracket of a virtual stage stands so far over its nodes, clear of the ports for calls. */
export const BRACKET_OVER = 18;
export const NODE_MIN_WIDTH = 160;
export const NODE_MAX_WIDTH = 240;

/** Of a line that is a hair's breadth at zoom 1 and no less on the screen farther out, in steps: it changes seldom. */
export const hairline = (zoom: number): number => (zoom >= 1 ? 1 : Math.ceil(2 / zoom) / 2);

/** A join on a flow edge: a pill centred on the edge's label point. */
export const JOIN_WIDTH = 122;
export const JOIN_HEIGHT = 30;
/** Between boxes that stand close it shows its threads and the fill of its queue only. */
export const JOIN_NARROW = 54;

/** Width of a join's pill between two ports this far apart. */
export const joinWidth = (gap: number): number => (gap >= JOIN_WIDTH + 8 ? JOIN_WIDTH : JOIN_NARROW);

/** Rows are shown only where there is a choice: none for a service with one implementation. */
export const implementationRows = (implementations: number): number =>
  implementations > 1 ? implementations : 0;

export function nodeHeight(implementations: number): number {
  const rows = implementationRows(implementations);
  return NODE_HEADER + (rows > 0 ? NODE_ROWS_PAD + rows * NODE_ROW : 0) + NODE_STRIP;
}
