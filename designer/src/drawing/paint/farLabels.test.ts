import { describe, expect, it } from "vitest";
import { farLabels, type FarNode } from "./farLabels.js";
import { shortened } from "./paintFar.js";

const ADVANCE = 5;
const node = (x: number, y: number, name: string, first = false): FarNode => ({
  x,
  y,
  width: 10,
  height: 4,
  name,
  first,
});
const labels = (nodes: readonly FarNode[]) => farLabels(nodes, ADVANCE, shortened);
const boxOf = ({ text, x, y }: { text: string; x: number; y: number }) => ({
  left: x,
  right: x + text.length * ADVANCE,
  top: y - 5.5,
  bottom: y + 5.5,
});

describe("names of nodes that have no room for them", () => {
  it("stand below their node, whole where they fit", () => {
    expect(labels([node(0, 0, "ProduceAd")])).toEqual([{ node: 0, text: "ProduceAd", x: 0, y: 11.5 }]);
  });

  it("cover no node and no other name, in forty columns close together", () => {
    const nodes = Array.from({ length: 200 }, (_, at) =>
      node((at % 40) * 17, Math.floor(at / 40) * 40, `Service${at}`),
    );
    const found = labels(nodes);
    // Not all of them, but in every row some.
    expect(found.length).toBeGreaterThan(50);
    const boxes = [
      ...found.map(boxOf),
      ...nodes.map(({ x, y, width, height }) => ({ left: x, right: x + width, top: y, bottom: y + height })),
    ];
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1))
        expect(
          one.left < other.right &&
            other.left < one.right &&
            one.top < other.bottom &&
            other.top < one.bottom,
        ).toBe(false);
    for (const { text } of found) expect(text.length).toBeGreaterThan(4);
  });

  it("are those of nodes in trouble first", () => {
    const close = [node(0, 0, "Quiet"), node(12, 0, "Loud", true), node(24, 0, "Other")];
    expect(labels(close)[0]).toMatchObject({ node: 1, text: "Loud" });
  });

  it("are the same wherever the drawing lies", () => {
    const at = (dx: number) =>
      labels([0, 1, 2, 3, 4, 5].map((column) => node(column * 17 + dx, 0, `Service${column}`))).map(
        ({ text }) => text,
      );
    expect(at(0)).toEqual(at(7));
  });
});
