import type { InternalNode } from "@xyflow/react";
import { getBezierPath, Position } from "@xyflow/system";
import { describe, expect, it } from "vitest";
import { middleOf, portOf, seenOn } from "./edgeGeometry.js";

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

describe("seenOn", () => {
  const [source, target] = [
    { x: 0, y: 0, side: "right" },
    { x: 600, y: 0, side: "left" },
  ] as const;
  const size = { width: 90, height: 18 };
  const box = (x: number, width: number) => ({ x, y: -50, width, height: 100 });

  it("is the middle of the line where nothing lies there, and nowhere where boxes are everywhere", () => {
    expect(seenOn(source, target, size, [box(0, 60)])).toEqual(middleOf(source, target));
    expect(seenOn(source, target, size, [box(-100, 800)])).toBeUndefined();
  });

  it("is as near to it as no box lies", () => {
    const { x } = seenOn(source, target, size, [box(250, 90)])!;
    expect(Math.abs(x - 300)).toBeLessThan(200);
    expect([x + 45 <= 250, x - 45 >= 340]).toContain(true);
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
