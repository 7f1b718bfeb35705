import type { InternalNode } from "@xyflow/react";

export interface Point {
  x: number;
  y: number;
}
type Side = "left" | "right" | "top" | "bottom";

/** React Flow's own curvature of Bezier edges. */
const CURVATURE = 0.25;

const offset = (distance: number): number =>
  distance >= 0 ? 0.5 * distance : CURVATURE * 25 * Math.sqrt(-distance);

function control(side: Side, from: Point, to: Point): Point {
  switch (side) {
    case "left":
      return { x: from.x - offset(from.x - to.x), y: from.y };
    case "right":
      return { x: from.x + offset(to.x - from.x), y: from.y };
    case "top":
      return { x: from.x, y: from.y - offset(from.y - to.y) };
    case "bottom":
      return { x: from.x, y: from.y + offset(to.y - from.y) };
  }
}

/** Where an edge leaves or enters a node, as React Flow draws it; undefined before the node is measured. */
export function portOf(
  node: InternalNode,
  type: "source" | "target",
  handleId: string | null | undefined,
): (Point & { side: Side }) | undefined {
  const handles = node.internals.handleBounds?.[type];
  const handle = handleId ? handles?.find((one) => one.id === handleId) : handles?.[0];
  if (!handle) return undefined;
  const { x, y } = node.internals.positionAbsolute;
  const left = x + handle.x;
  const top = y + handle.y;
  const side = handle.position as Side;
  switch (side) {
    case "top":
      return { x: left + handle.width / 2, y: top, side };
    case "bottom":
      return { x: left + handle.width / 2, y: top + handle.height, side };
    case "left":
      return { x: left, y: top + handle.height / 2, side };
    case "right":
      return { x: left + handle.width, y: top + handle.height / 2, side };
  }
}

/** Where an edge ends. */
export type Port = Point & { side: Side };

/** How far a line that goes back leaves its nodes before it turns, and how round its corners are. */
export const BACK = { offset: 22, borderRadius: 12 } as const;

/**
 * A flow that goes on in a row of its own goes back to its beginning: around the nodes, between the rows; as a curve
 * it would run across both of its own.
 */
export const goesBack = (source: Point, target: Point): boolean => target.x < source.x;

/** Room for what stands on a flow's line, between the two ports. */
export const roomBetween = (source: Point, target: Point): number => Math.abs(target.x - source.x);

/** The corners of a line that goes back. */
export function backCorners(source: Point, target: Point): Point[] {
  const middle = (source.y + target.y) / 2;
  const [right, left] = [source.x + BACK.offset, target.x - BACK.offset];
  return [
    { x: right, y: source.y },
    { x: right, y: middle },
    { x: left, y: middle },
    { x: left, y: target.y },
  ];
}

/** What bends the Bezier curve between two ports. */
export const controlsOf = (source: Port, target: Port): [Point, Point] => [
  control(source.side, source, target),
  control(target.side, target, source),
];

/** Adds the line of an edge to the context's path, as React Flow draws it. */
export function traceEdge(
  context: CanvasRenderingContext2D,
  type: string | undefined,
  source: Port,
  target: Port,
): void {
  context.moveTo(source.x, source.y);
  if (type !== "call" && goesBack(source, target)) {
    for (const { x, y } of [...backCorners(source, target), target]) context.lineTo(x, y);
    return;
  }
  const [a, b] = controlsOf(source, target);
  context.bezierCurveTo(a.x, a.y, b.x, b.y, target.x, target.y);
}

/** The middle of the Bezier curve between two ports: where slots and figures sit. */
export function middleOf(source: Port, target: Port): Point {
  const [a, b] = controlsOf(source, target);
  return {
    x: source.x * 0.125 + a.x * 0.375 + b.x * 0.375 + target.x * 0.125,
    y: source.y * 0.125 + a.y * 0.375 + b.y * 0.375 + target.y * 0.125,
  };
}
