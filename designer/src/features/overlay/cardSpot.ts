import type { Box, Size } from "../../drawing/geometry/box.js";

/** Between a card and its node, and between a card and the rim of the view, px. */
const GAP = 16;
const RIM = 8;
/** Places in the view that are tried besides those at the node. */
const COLUMNS = 13;
const ROWS = 10;
/** The node that a card is about counts as so many others. */
const OWN_WEIGHT = 4;
/** What can be done without for a while, the map: so much of a node. */
const DISPENSABLE_WEIGHT = 0.25;
/** As bad as to cover nodes by the whole card: to be so far from its node, px. */
const TOO_FAR = 3000;
/** A card moves only for something better by so much of itself: it would jump about while one pans. */
const WORTH_MOVING = 0.12;

export interface Spot {
  /** Which of the places tried it is. */
  name: string;
  x: number;
  y: number;
}
export interface ChosenSpot extends Spot {
  /** How much it covers of what is needed, px². */
  covers: number;
}
/** Something on the view that a card would cover. */
export interface Taken extends Box {
  dispensable?: boolean;
}

/**
 * Where a card about `node` covers the least of `taken`, wholly in the view and else as near to its node as it
 * can; where there is no difference right of it, left, below, above. It stays at the place `before` as long as
 * that is nearly as good, but on nothing that it need not cover. All in px of the view.
 */
export function cardSpot(
  card: Size,
  node: Box,
  taken: readonly Taken[],
  view: Size,
  before: string | undefined,
): ChosenSpot {
  const whole = Math.max(1, card.width * card.height);
  let best: ChosenSpot | undefined;
  let least = Number.POSITIVE_INFINITY;
  let kept: ChosenSpot | undefined;
  let keptCosts = Number.POSITIVE_INFINITY;
  for (const spot of spots(card, node, view)) {
    const box = { ...spot, ...card };
    let covers = OWN_WEIGHT * overlap(box, node);
    let besides = 0;
    for (const other of taken) {
      if (other.dispensable) besides += DISPENSABLE_WEIGHT * overlap(box, other);
      else covers += overlap(box, other);
    }
    const costs = (covers + besides) / whole + Math.max(GAP, distance(box, node)) / TOO_FAR;
    if (spot.name === before) [kept, keptCosts] = [{ ...spot, covers }, costs];
    if (costs < least) [best, least] = [{ ...spot, covers }, costs];
  }
  const mayStay = kept && (kept.covers === 0 || best!.covers > 0) && keptCosts <= least + WORTH_MOVING;
  return mayStay ? kept! : best!;
}

function* spots(card: Size, node: Box, view: Size): Generator<Spot> {
  const most = {
    x: Math.max(RIM, view.width - card.width - RIM),
    y: Math.max(RIM, view.height - card.height - RIM),
  };
  const at = (name: string, x: number, y: number): Spot => ({
    name,
    x: Math.min(Math.max(x, RIM), most.x),
    y: Math.min(Math.max(y, RIM), most.y),
  });
  const below = node.y + node.height;
  const right = node.x + node.width;
  const beside = [node.y, node.y + (node.height - card.height) / 2, below - card.height];
  const along = [node.x, node.x + (node.width - card.width) / 2, right - card.width];
  for (const [index, y] of beside.entries()) yield at(`right ${index}`, right + GAP, y);
  for (const [index, y] of beside.entries()) yield at(`left ${index}`, node.x - GAP - card.width, y);
  for (const [index, x] of along.entries()) yield at(`below ${index}`, x, below + GAP);
  for (const [index, x] of along.entries()) yield at(`above ${index}`, x, node.y - GAP - card.height);
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++)
      yield at(
        `view ${column} ${row}`,
        RIM + ((most.x - RIM) * column) / (COLUMNS - 1),
        RIM + ((most.y - RIM) * row) / (ROWS - 1),
      );
}

const shared = (from: number, size: number, otherFrom: number, otherSize: number): number =>
  Math.min(from + size, otherFrom + otherSize) - Math.max(from, otherFrom);

function overlap(a: Box, b: Box): number {
  const width = shared(a.x, a.width, b.x, b.width);
  const height = shared(a.y, a.height, b.y, b.height);
  return width > 0 && height > 0 ? width * height : 0;
}

const distance = (a: Box, b: Box): number =>
  Math.hypot(
    Math.max(0, -shared(a.x, a.width, b.x, b.width)),
    Math.max(0, -shared(a.y, a.height, b.y, b.height)),
  );
