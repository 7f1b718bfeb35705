import type { InternalNode } from "@xyflow/react";
import { getBezierPath, Position } from "@xyflow/system";
import { describe, expect, it } from "vitest";
import { middleOf, portOf } from "./edgeGeometry.js";

describe("middleOf", () => {
  it.each([
    [0, 0, Position.Right, 300, 80, Position.Left],
    [300, 80, Position.Right, 0, 0, Position.Left],
    [50, 100, Position.Bottom, 200, 300, Position.Top],
    [50, 300, Position.Bottom, 200, 100, Position.Top],
  ])("is where React Flow puts an edge's label: %s,%s %s to %s,%s %s", (sx, sy, sp, tx, ty, tp) => {
    const [, x, y] = getBezierPath({
      sourceX: sx,
      sourceY: sy,
      sourcePosition: sp,
      targetX: tx,
      targetY: ty,
      targetPosition: tp,
    });
    const middle = middleOf({ x: sx, y: sy, side: sp }, { x: tx, y: ty, side: tp });
    expect(middle.x).toBeCloseTo(x, 6);
    expect(middle.y).toBeCloseTo(y, 6);
  });
});

describe("portOf", () => {
  it("is the outer middle of the handle", () => {
    const node = {
      internals: {
        positionAbsolute: { x: 100, y: 50 },
        handleBounds: {
          source: [
            { id: "out", x: 196, y: 20, width: 8, height: 8, position: Position.Right, type: "source" },
          ],
          target: null,
        },
      },
    } as unknown as InternalNode;
    expect(portOf(node, "source", "out")).toEqual({ x: 304, y: 74, side: "right" });
    expect(portOf(node, "target", null)).toBeUndefined();
  });
});
