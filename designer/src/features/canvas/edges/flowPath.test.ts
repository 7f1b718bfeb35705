import { type EdgeProps, Position } from "@xyflow/react";
import { describe, expect, it } from "vitest";
import { backCorners, middleOf } from "../../../drawing/paint/edgeGeometry.js";
import { flowPath } from "./flowPath.js";

const line = (sourceX: number, sourceY: number, targetX: number, targetY: number) =>
  flowPath({
    ...{ sourceX, sourceY, targetX, targetY },
    ...{ sourcePosition: Position.Right, targetPosition: Position.Left },
  } as EdgeProps);
/** All numbers of a path, as points. */
const pointsOf = (path: string) =>
  [...path.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

describe("the line of a flow", () => {
  it("that goes on in the next row runs between the rows, across neither of its nodes", () => {
    // From a node that ends at 1260 and 85 to one that begins at 320 and 220.
    const { path, x, y, gap } = line(1260, 33, 320, 253);
    for (const point of pointsOf(path)) {
      const across = point.x > 320 && point.x < 1260;
      expect(across && (point.y < 85 || point.y > 220), `${point.x} ${point.y} in ${path}`).toBe(false);
    }
    expect({ x, y, gap }).toEqual({ x: 790, y: 143, gap: 940 });
    // What is painted over it, and instead of it far out, is where it is.
    const [source, target] = [
      { x: 1260, y: 33 },
      { x: 320, y: 253 },
    ];
    expect(middleOf({ ...source, side: "right" }, { ...target, side: "left" })).toEqual({ x, y });
    expect(backCorners(source, target).map((corner) => corner.y)).toEqual([33, 143, 143, 253]);
  });

  it("that goes on to the right is a curve", () => {
    expect(line(0, 0, 300, 80).path).toContain("C");
  });
});
