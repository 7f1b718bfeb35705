import { expect, it } from "vitest";
import { hairline } from "./nodeMeasures.js";

it("a hairline stays one on the screen, as far out as nodes are drawn", () => {
  expect([hairline(2), hairline(1)]).toEqual([1, 1]);
  for (let zoom = 0.4; zoom < 1; zoom += 0.05) {
    expect(hairline(zoom) * zoom).toBeGreaterThanOrEqual(1);
    expect(hairline(zoom) * zoom).toBeLessThan(1.5);
  }
});
