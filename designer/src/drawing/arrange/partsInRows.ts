import type { ElkNode } from "elkjs/lib/elk-api.js";

const GAP = 55;
/** Width to height of a screen's part for the drawing, and what is far from it. */
export const ASPECT = 1.6;
const TOO_WIDE = 4;
const TOO_HIGH = 0.4;

interface Part {
  nodes: ElkNode[];
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * How far to move each node at the top, by its id, so that parts of the drawing that no line connects stand in
 * rows: side by side, ten bundles are a line that nobody can read. None where they stand well.
 */
export function partsInRows(root: ElkNode): Map<string, { x: number; y: number }> {
  const moves = new Map<string, { x: number; y: number }>();
  const whole = boundsOf(root.children ?? []);
  const aspect = whole.width / whole.height;
  const parts = partsOf(root).map((nodes): Part => ({ nodes, ...boundsOf(nodes) }));
  if (parts.length < 3 || (aspect <= TOO_WIDE && aspect >= TOO_HIGH)) return moves;
  const area = parts.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const most = Math.max(Math.sqrt(area * ASPECT), ...parts.map(({ width }) => width));
  let [x, y, high] = [0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > most) [x, y, high] = [0, y + high + GAP, 0];
    for (const { id } of part.nodes) moves.set(id, { x: x - part.x, y: y - part.y });
    x += part.width + GAP;
    high = Math.max(high, part.height);
  }
  return moves;
}

function boundsOf(nodes: readonly ElkNode[]): Omit<Part, "nodes"> {
  const x = Math.min(...nodes.map((node) => node.x ?? 0));
  const y = Math.min(...nodes.map((node) => node.y ?? 0));
  const right = Math.max(...nodes.map((node) => (node.x ?? 0) + (node.width ?? 0)));
  const bottom = Math.max(...nodes.map((node) => (node.y ?? 0) + (node.height ?? 0)));
  return { x, y, width: right - x, height: bottom - y };
}

/** The nodes at the top by what lines connect, in their order. */
function partsOf(root: ElkNode): ElkNode[][] {
  const topOf = new Map<string, string>();
  const visit = (node: ElkNode, top: string): void => {
    topOf.set(node.id, top);
    for (const port of node.ports ?? []) topOf.set(port.id, top);
    for (const child of node.children ?? []) visit(child, top);
  };
  const parts = new Map<string, Set<string>>();
  for (const child of root.children ?? []) {
    visit(child, child.id);
    parts.set(child.id, new Set([child.id]));
  }
  for (const { sources, targets } of root.edges ?? []) {
    const [one, other] = [...sources, ...targets].map((end) => parts.get(topOf.get(end) ?? ""));
    if (!one || !other || one === other) continue;
    for (const id of other) parts.set(id, one.add(id));
  }
  return [...new Set(parts.values())].map((part) =>
    (root.children ?? []).filter((child) => part.has(child.id)),
  );
}
