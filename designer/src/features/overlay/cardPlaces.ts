import type { InternalNode } from "@xyflow/react";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import type { Viewport } from "../../drawing/paint/paintScene.js";

export const cardKey = ({ binary, pool }: Pick<Bottleneck, "binary" | "pool">): string => `${binary}/${pool}`;

const elements = new Map<string, HTMLElement>();
/** A card says where it is; the overlay moves it along with the node it belongs to. */
export function registerCard(key: string, element: HTMLElement | null): void {
  if (element) elements.set(key, element);
  else elements.delete(key);
}

/** What a card is about: the nodes that it is placed beside. */
type Placed = Pick<Bottleneck, "binary" | "pool" | "services" | "stages">;

const GAP = 16;

/** Puts each card beside its first node in view: to the right, or left, or below where there is room. */
export function placeCards(
  { width, height, transform: [tx, ty, zoom] }: Viewport,
  cards: readonly Placed[],
  nodes: ReadonlyMap<string, InternalNode>,
): void {
  for (const card of cards) {
    const element = elements.get(cardKey(card));
    if (!element) continue;
    const node = nodeOf(card, nodes);
    if (!node) {
      element.style.visibility = "hidden";
      continue;
    }
    const { x, y } = node.internals.positionAbsolute;
    const left = x * zoom + tx;
    const top = y * zoom + ty;
    const right = left + (node.measured.width ?? 0) * zoom;
    const bottom = top + (node.measured.height ?? 0) * zoom;
    const { offsetWidth, offsetHeight } = element;
    const inView = right > 0 && bottom > 0 && left < width && top < height;
    let cardX = right + GAP;
    let cardY = top + 24 * zoom;
    if (cardX + offsetWidth > width - 8 && left - GAP - offsetWidth >= 8) cardX = left - GAP - offsetWidth;
    else if (cardX + offsetWidth > width - 8) {
      cardX = Math.min(left, width - offsetWidth - 8);
      cardY = bottom + GAP;
    }
    cardY = Math.max(8, Math.min(cardY, height - offsetHeight - 8));
    element.style.visibility = inView ? "visible" : "hidden";
    element.style.transform = `translate(${Math.round(Math.max(cardX, 8))}px, ${Math.round(cardY)}px)`;
  }
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
