import { threadName } from "@penstock/codegen/topology";
import type { InternalNode } from "@xyflow/react";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import type { Box, Size } from "../../drawing/geometry/box.js";
import { holderLabel } from "../../drawing/geometry/holderLabel.js";
import type { Viewport } from "../../drawing/paint/paintScene.js";
import { cardSpot, type Spot, type Taken } from "./cardSpot.js";

/** What a card is about: a pool, one thread of it, or the way to another binary. */
export type CardOf = Pick<Bottleneck, "binary" | "pool" | "thread" | "link">;

export const cardKey = ({ binary, pool, thread, link }: CardOf): string =>
  `${binary}/${link !== undefined ? `>${link}` : thread === undefined ? pool : threadName(pool, thread)}`;

const elements = new Map<string, HTMLElement>();
/** A card says where it is; the overlay moves it along with the node it belongs to. */
export function registerCard(key: string, element: HTMLElement | null): void {
  if (element) elements.set(key, element);
  else {
    elements.delete(key);
    standing.delete(key);
  }
}

/** With the nodes that it is placed beside. */
type Placed = CardOf & Pick<Bottleneck, "services" | "stages">;

interface Standing extends Spot {
  folded: boolean;
}
/** Where each card stands, for it to stay there. */
const standing = new Map<string, Standing>();

/** Puts each card that has a node in view where it covers least: nodes, what is `said` on lines, cards before it, controls. */
export function placeCards(
  { width, height, transform: [tx, ty, zoom] }: Viewport,
  cards: readonly Placed[],
  nodes: ReadonlyMap<string, InternalNode>,
  said: readonly Box[],
): void {
  const shown = new Set(cards.map(cardKey).filter((key) => elements.has(key)));
  if (shown.size === 0) return;
  const inView = (box: Box): boolean =>
    box.x + box.width > 0 && box.y + box.height > 0 && box.x < width && box.y < height;
  const boxOf = (node: InternalNode): Box => ({
    x: node.internals.positionAbsolute.x * zoom + tx,
    y: node.internals.positionAbsolute.y * zoom + ty,
    width: (node.measured.width ?? 0) * zoom,
    height: (node.measured.height ?? 0) * zoom,
  });
  const taken = [...controls([...elements.values()][0]), ...said];
  for (const node of nodes.values()) {
    const box = /^(bundle|binary):/.test(node.id) ? holderLabel(node, boxOf(node), zoom) : boxOf(node);
    if (inView(box)) taken.push(box);
  }
  for (const card of cards) {
    const key = cardKey(card);
    const element = elements.get(key);
    // What is done about a bottleneck stands on its card.
    if (!element || !shown.delete(key)) continue;
    const node = nodeOf(card, nodes);
    const box = node && boxOf(node);
    if (!box || !inView(box)) {
      element.style.visibility = "hidden";
      continue;
    }
    const { x, y, size } = settle(key, element, box, taken, { width, height });
    taken.push({ x, y, ...size });
    element.style.visibility = "visible";
    element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}

const sizeOf = (element: HTMLElement): Size => ({
  width: element.offsetWidth,
  height: element.offsetHeight,
});

/**
 * Finds a card's place. One that would cover something wherever it stood is folded: to what it is about and what
 * helps, until it is pointed at or has the focus; then it is unfolded where it is. None goes away from who points at it.
 */
function settle(key: string, element: HTMLElement, node: Box, taken: readonly Taken[], view: Size) {
  const before = standing.get(key);
  if (before && element.matches(before.folded ? ":hover, :focus-within" : ":hover")) {
    const size = sizeOf(element);
    const x = Math.max(0, Math.min(before.x, view.width - size.width));
    const y = Math.max(0, Math.min(before.y, view.height - size.height));
    return { x, y, size };
  }
  const place = (folded: boolean) => {
    element.toggleAttribute("data-folded", folded);
    const size = sizeOf(element);
    return {
      size,
      ...cardSpot(size, node, taken, view, before?.folded === folded ? before.name : undefined),
    };
  };
  const whole = place(false);
  const chosen = whole.covers === 0 ? whole : place(true);
  standing.set(key, { name: chosen.name, x: chosen.x, y: chosen.y, folded: chosen !== whole });
  return chosen;
}

/** What stands on the view besides the drawing: zoom buttons, the legend, the map. */
function controls(card: HTMLElement | undefined): Taken[] {
  const view = card?.offsetParent;
  if (!view) return [];
  const { left, top } = view.getBoundingClientRect();
  return [...view.querySelectorAll(".zoom-buttons, .legend, .drawing-map-panel")].map((panel) => {
    const { x, y, width, height } = panel.getBoundingClientRect();
    const dispensable = panel.matches(".drawing-map-panel");
    return { x: x - left, y: y - top, width, height, dispensable };
  });
}

/** The node that the card is about: the heaviest stage on the pool, else a service that is called there. */
function nodeOf(card: Placed, nodes: ReadonlyMap<string, InternalNode>): InternalNode | undefined {
  for (const { flow, id } of card.stages) {
    const stage = nodes.get(`stage:${flow}/${id}`);
    if (stage) return stage;
  }
  for (const service of card.services) {
    const own = nodes.get(`service:${service}`);
    if (own) return own;
  }
  for (const node of nodes.values()) {
    const name = (node.data as { name?: unknown }).name;
    if (node.id.startsWith("stage:") && typeof name === "string" && card.services.includes(name)) return node;
  }
  return undefined;
}
