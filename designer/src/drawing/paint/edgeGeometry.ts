import type { InternalNode } from "@xyflow/react";
import type { Box, Size } from "../geometry/box.js";

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

/** A point of the Bezier curve between two ports, from 0 to 1. */
function pointOf(source: Port, target: Port, t: number): Point {
  const [a, b] = controlsOf(source, target);
  const [w0, w1, w2, w3] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
  return {
    x: source.x * w0 + a.x * w1 + b.x * w2 + target.x * w3,
    y: source.y * w0 + a.y * w1 + b.y * w2 + target.y * w3,
  };
}

/** The middle of the curve: where slots and figures sit. */
export const middleOf = (source: Port, target: Port): Point => pointOf(source, target, 0.5);

/** The middle, and then ever farther from it. */
const TRIED = Array.from({ length: 41 }, (_, at) => 0.5 + 0.02 * Math.ceil(at / 2) * (at % 2 === 0 ? 1 : -1));

/** Where on the curve something of a size is seen, as near to the middle as it lies under none of the boxes; undefined where it would wherever it was. */
export function seenOn(source: Port, target: Port, size: Size, boxes: readonly Box[]): Point | undefined {
  for (const t of TRIED) {
    const at = pointOf(source, target, t);
    const [width, height] = [size.width / 2, size.height / 2];
    const isUnder = boxes.some(
      (box) =>
        at.x + width > box.x &&
        at.x - width < box.x + box.width &&
        at.y + height > box.y &&
        at.y - height < box.y + box.height,
    );
    if (!isUnder) return at;
  }
  return undefined;
}
