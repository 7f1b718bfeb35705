/** A box on the screen, in pixels; where the whole drawing lies makes no difference. */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface FarNode extends Area {
  /** "": all that is needed of it is in the node. */
  name: string;
  /** Letters of it that are in the node where it stands nowhere else. */
  room: number;
  /** What is looked for first: a node in trouble, or a selected one. */
  first: boolean;
}
/** A name beside its node: its left end and its middle line. */
export interface FarLabel {
  node: number;
  text: string;
  x: number;
  y: number;
  /** It lies over other nodes: it needs a ground. */
  over: boolean;
}

interface Place {
  area: Area;
  text: string;
}

/** A bundle far out: its border, and how wide its name is. */
export interface FarBundle extends Area {
  name: string;
  nameWidth: number;
}

const LINE = 11;
const GAP = 2;
const CELL = 24;
/** Shorter, it says nothing. */
const FEWEST = 5;
/** Names end so far right of all nodes: a view of the whole drawing has no more room there. */
const MARGIN = 24;
/** More names than these over other nodes would hide the drawing. */
const MOST_OVER = 12;
/** Of a name in its size, with the ground around it. */
const BUNDLE_LINE = 18;
const BUNDLE_INSET = 10;

/** What is taken already, by cells, so that a thousand names are not compared with a thousand boxes. */
class Taken {
  private readonly cells = new Map<number, Area[]>();

  /** Whether `holds` does for each cell of an area; it is asked no more once it does not. Per frame: no generator. */
  private every({ x, y, width, height }: Area, holds: (cell: number) => boolean): boolean {
    const [lowest, last] = [Math.floor((y + height) / CELL), Math.floor((x + width) / CELL)];
    for (let row = Math.floor(y / CELL); row <= lowest; row++)
      for (let column = Math.floor(x / CELL); column <= last; column++)
        if (!holds(row * 1_000_003 + column)) return false;
    return true;
  }
  add(area: Area): void {
    this.every(area, (cell) => {
      const list = this.cells.get(cell);
      if (list) list.push(area);
      else this.cells.set(cell, [area]);
      return true;
    });
  }
  isFree(area: Area, own?: Area): boolean {
    return this.every(
      area,
      (cell) => this.cells.get(cell)?.every((other) => other === own || !meets(area, other)) ?? true,
    );
  }
}

const meets = (a: Area, b: Area): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/**
 * Places for the names of bundles: on the upper border, where no node lies close below it; else above it or at its
 * side, where nothing is; and else over the nodes, as a map names a quarter over its streets. None where that would
 * cover another's.
 */
export function farBundleNames(bundles: readonly FarBundle[], nodes: readonly Area[]): (Area | undefined)[] {
  const drawn = new Taken();
  for (const node of nodes) drawn.add(node);
  const bounds = new Taken();
  for (const bundle of bundles) bounds.add(bundle);
  const names = new Taken();
  return bundles.map((bundle) => {
    const [width, height] = [bundle.nameWidth + 8, BUNDLE_LINE];
    const at = (x: number, y: number): Area => ({ x, y, width, height });
    const border = at(bundle.x + BUNDLE_INSET, bundle.y - height / 2);
    const beside = [
      at(bundle.x, bundle.y - height - GAP),
      at(bundle.x + bundle.width + GAP, bundle.y),
      at(bundle.x - width - GAP, bundle.y),
    ];
    const isFree = (area: Area) => drawn.isFree(area) && names.isFree(area);
    const place = isFree(border)
      ? border
      : (beside.find((area) => isFree(area) && bounds.isFree(area)) ??
        (width <= bundle.width && names.isFree(border) ? border : undefined));
    if (place) names.add(place);
    return place;
  });
}

/**
 * Places of names, those that the left or right end of the view would cut moved into it; one that would then lie over
 * another stays, and so does one that is wider than the view.
 */
export function keptInView(
  places: readonly (Area | undefined)[],
  view: { x: number; width: number },
): (Area | undefined)[] {
  const most = (area: Area): number => view.x + view.width - area.width;
  const kept = [...places];
  for (const [at, place] of places.entries()) {
    if (!place || place.x + place.width <= view.x || place.x >= view.x + view.width) continue;
    const moved = { ...place, x: Math.max(view.x, Math.min(place.x, most(place))) };
    const isFree = kept.every((other, index) => index === at || !other || !meets(moved, other));
    if (moved.x !== place.x && moved.x <= most(place) && isFree) kept[at] = moved;
  }
  return kept;
}

/**
 * Places for the names that do not fit into their nodes: below, above or to the right, wherever no node, no
 * other name and nothing of `others` is, whole or else shortened. A few that are looked for first lie over
 * nodes where there is no such place. What has none shows what its node has room for, and says the whole under the pointer.
 */
export function farLabels(
  nodes: readonly FarNode[],
  others: readonly Area[],
  advance: number,
  shortened: (name: string, room: number) => string,
): FarLabel[] {
  const taken = new Taken();
  const names = new Taken();
  for (const area of [...nodes, ...others]) taken.add(area);
  for (const area of others) names.add(area);
  const end = Math.max(...nodes.map(({ x, width }) => x + width)) + MARGIN;
  const labels: FarLabel[] = [];
  const order = nodes
    .map((_, at) => at)
    .toSorted((a, b) => Number(nodes[b]?.first) - Number(nodes[a]?.first));
  const mayLieOver = nodes.reduce((count, { first }) => count + Number(first), 0) <= MOST_OVER;
  for (const at of order) {
    const node = nodes[at]!;
    if (node.name === "") continue;
    const firstThat = (isFree: (area: Area) => boolean): Place | undefined => {
      for (const one of placesOf(node, end, advance, shortened)) if (isFree(one.area)) return one;
      return undefined;
    };
    const free = firstThat((area) => taken.isFree(area, node));
    const place = free ?? (node.first && mayLieOver ? firstThat((area) => names.isFree(area)) : undefined);
    if (!place) continue;
    taken.add(place.area);
    names.add(place.area);
    const { x, y } = place.area;
    labels.push({ node: at, text: place.text, x, y: y + LINE / 2, over: place !== free });
  }
  return labels;
}

function* placesOf(
  node: FarNode,
  end: number,
  advance: number,
  shortened: (name: string, room: number) => string,
): Generator<Place> {
  const lengths = new Set([node.name.length, 8, 6, FEWEST].map((most) => Math.min(most, node.name.length)));
  for (const length of lengths) {
    if (length <= node.room) break;
    const text = shortened(node.name, length);
    const width = text.length * advance;
    const left = Math.min(node.x, end - width);
    const right = node.x + node.width + GAP;
    yield { area: { x: left, y: node.y + node.height + GAP, width, height: LINE }, text };
    yield { area: { x: left, y: node.y - LINE - GAP, width, height: LINE }, text };
    if (right + width <= end)
      yield { area: { x: right, y: node.y + node.height / 2 - LINE / 2, width, height: LINE }, text };
  }
}
