import { describe, expect, it } from "vitest";
import { mapScale, shownOn } from "./mapScale.js";

const SIZE = { width: 164, height: 92 };

describe("the map of the drawing", () => {
  const boxes = [
    { x: -100, y: 40, width: 200, height: 80 },
    { x: 2000, y: 900, width: 200, height: 80 },
  ];
  const view = shownOn(1200, 700, [0, 0, 0.5]);
  const scale = mapScale(boxes, view, SIZE);

  it("has room for every node and for what is on the screen", () => {
    for (const box of [...boxes, view]) {
      const at = scale.toMap(box);
      expect(at.x).toBeGreaterThanOrEqual(0);
      expect(at.y).toBeGreaterThanOrEqual(0);
      expect(at.x + at.width).toBeLessThanOrEqual(SIZE.width);
      expect(at.y + at.height).toBeLessThanOrEqual(SIZE.height);
    }
  });

  it("leads back to the place that it shows", () => {
    const at = scale.toMap({ x: 2000, y: 900, width: 0, height: 0 });
    const there = scale.toDrawing(at);
    expect(there.x).toBeCloseTo(2000);
    expect(there.y).toBeCloseTo(900);
  });
});
