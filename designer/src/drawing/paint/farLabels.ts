/** A box on the screen, in pixels; where the whole drawing lies makes no difference. */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface FarNode extends Area {
  /** "": it is in the node. */
  name: string;
  /** What is looked for first: a node in trouble, or a selected one. */
  first: boolean;
}
/** A name beside its node: its left end and its middle line. */
export interface FarLabel {
  node: number;
  text: string;
  x: number;
  y: number;
}

const LINE = 11;
const GAP = 2;
const CELL = 24;
/** Shorter, it says nothing. */
const FEWEST = 4;

/** What is taken already, by cells, so that a thousand names are not compared with a thousand boxes. */
class Taken {
  private readonly cells = new Map<number, Area[]>();

  private *around({ x, y, width, height }: Area): Generator<number> {
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++)
      for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++)
        yield row * 1_000_003 + column;
  }
  add(area: Area): void {
    for (const cell of this.around(area)) {
      const list = this.cells.get(cell);
      if (list) list.push(area);
      else this.cells.set(cell, [area]);
    }
  }
  isFree(area: Area, own: Area): boolean {
    for (const cell of this.around(area))
      for (const other of this.cells.get(cell) ?? []) if (other !== own && meets(area, other)) return false;
    return true;
  }
}

const meets = (a: Area, b: Area): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/**
 * Places for the names that do not fit into their nodes: below, above or to the right, wherever no node and no
 * other name is, whole or else shortened. What has no place has no name; it says it under the pointer.
 */
export function farLabels(
  nodes: readonly FarNode[],
  advance: number,
  shortened: (name: string, room: number) => string,
): FarLabel[] {
  const taken = new Taken();
  for (const node of nodes) taken.add(node);
  const labels: FarLabel[] = [];
  const order = nodes
    .map((_, at) => at)
    .toSorted((a, b) => Number(nodes[b]?.first) - Number(nodes[a]?.first));
  for (const at of order) {
    const node = nodes[at]!;
    if (node.name === "") continue;
    const place = placeOf(node, taken, advance, shortened);
    if (!place) continue;
    taken.add(place.area);
    labels.push({ node: at, text: place.text, x: place.area.x, y: place.area.y + LINE / 2 });
  }
  return labels;
}

function placeOf(
  node: FarNode,
  taken: Taken,
  advance: number,
  shortened: (name: string, room: number) => string,
): { area: Area; text: string } | undefined {
  const lengths = new Set([
    node.name.length,
    Math.min(8, node.name.length),
    Math.min(FEWEST + 1, node.name.length),
  ]);
  for (const length of lengths) {
    const text = shortened(node.name, length);
    const width = text.length * advance;
    const middle = node.y + node.height / 2 - LINE / 2;
    for (const [x, y] of [
      [node.x, node.y + node.height + GAP],
      [node.x, node.y - LINE - GAP],
      [node.x + node.width + GAP, middle],
    ] as const) {
      const area = { x, y, width, height: LINE };
      if (taken.isFree(area, node)) return { area, text };
    }
  }
  return undefined;
}
