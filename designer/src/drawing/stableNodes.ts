import type { CanvasNode } from "./toCanvasNodes.js";

/**
 * Keeps the identity of nodes that did not change from one mapping to the next: React Flow and
 * React.memo then leave them alone, which is what makes an edit in 1,000 nodes cheap.
 */
export function stableNodes<T extends { id: string }>(before: readonly T[], next: readonly T[]): T[] {
  const old = new Map(before.map((item) => [item.id, item]));
  return next.map((item) => {
    const known = old.get(item.id);
    return known && equal(known, item) ? known : item;
  });
}

/** Structural equality of plain data: nodes hold nothing else. */
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      equal((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** Nodes with the positions that a drag in progress gives them; the rest by identity. */
export function withDragged(
  nodes: readonly CanvasNode[],
  dragged: ReadonlyMap<string, { x: number; y: number }>,
): CanvasNode[] {
  if (dragged.size === 0) return [...nodes];
  return nodes.map((node) => {
    const position = dragged.get(node.id);
    return position ? { ...node, position, dragging: true } : node;
  });
}

/** Nodes with the frame marked in which what is dragged would be dropped; the rest by identity. */
export const withTarget = (nodes: CanvasNode[], binary: string | undefined): CanvasNode[] =>
  binary === undefined
    ? nodes
    : nodes.map((node) =>
        node.type === "frame" && node.data.name === binary
          ? { ...node, data: { ...node.data, target: true } }
          : node,
      );

/** A mapping that remembers its last result and keeps the identity of what did not change. */
export function stabiliser<T extends { id: string }>(): (next: readonly T[]) => T[] {
  let known: T[] = [];
  return (next) => (known = stableNodes(known, next));
}
