import { expect, it } from "vitest";
import { keptInView } from "./keptInView.js";

const node = { x: 400, y: 300, width: 200, height: 100 };
const before = { width: 700, height: 500 };

it("moves the drawing as little as keeps a node in view that a smaller view would cut", () => {
  const viewport = { x: 0, y: 0, zoom: 1 };
  expect(keptInView(viewport, node, before, { width: 460, height: 500 })).toEqual({ x: -156, y: 0, zoom: 1 });
  expect(keptInView(viewport, node, before, { width: 460, height: 350 })).toEqual({
    x: -156,
    y: -66,
    zoom: 1,
  });
  expect(keptInView({ x: 0, y: 0, zoom: 0.5 }, node, before, { width: 460, height: 500 })).toBeUndefined();
});

it("leaves a node where it is that was out of view, or has no room in it", () => {
  expect(keptInView({ x: 400, y: 0, zoom: 1 }, node, before, { width: 460, height: 500 })).toBeUndefined();
  expect(keptInView({ x: 0, y: 0, zoom: 1 }, node, before, { width: 220, height: 500 })).toBeUndefined();
});
