import { describe, expect, it } from "vitest";
import { farBundleNames, farLabels, keptInView, type FarBundle, type FarNode } from "./farLabels.js";
import type { Box } from "../geometry/box.js";
import { shortened } from "./paintFar.js";

const ADVANCE = 5;
const node = (x: number, y: number, name: string, first = false, room = 0): FarNode => ({
  x,
  y,
  width: 10,
  height: 4,
  name,
  first,
  room,
});
const labels = (nodes: readonly FarNode[], others: readonly Box[] = []) =>
  farLabels(nodes, others, ADVANCE, shortened);
const boxOf = ({ text, x, y }: { text: string; x: number; y: number }) => ({
  left: x,
  right: x + text.length * ADVANCE,
  top: y - 5.5,
  bottom: y + 5.5,
});

describe("names of nodes that have no room for them", () => {
  it("stand below their node, whole where they fit", () => {
    expect(labels([node(0, 0, "ProduceAd"), node(40, 0, "")])).toEqual([
      { node: 0, text: "ProduceAd", x: 0, y: 11.5, over: false },
    ]);
  });

  it("are shortened no more often than they have to be", () => {
    const asked: number[] = [];
    const nodes = Array.from({ length: 20 }, (_, at) => node(at * 200, 0, "ProduceAdsForAll"));
    farLabels(nodes, [], ADVANCE, (name, room) => {
      asked.push(room);
      return shortened(name, room);
    });
    expect(asked).toEqual(Array.from({ length: 20 }, () => 16));
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

  it("stand hardly farther right than the last node, where a view of the whole drawing ends", () => {
    const columns = Array.from({ length: 60 }, (_, at) =>
      node((at % 20) * 12, Math.floor(at / 20) * 6, `Service${at}`),
    );
    const found = labels(columns);
    expect(found.length).toBeGreaterThan(5);
    const last = 19 * 12 + 10;
    for (const one of found) expect(boxOf(one).right).toBeLessThanOrEqual(last + 24);
  });

  it("are those of nodes in trouble first", () => {
    const close = [node(0, 0, "Quiet"), node(12, 0, "Loud", true), node(24, 0, "Other")];
    expect(labels(close)[0]).toMatchObject({ node: 1, text: "Loud" });
  });

  it("of nodes in trouble or selected lie over others where there is no room, and not over each other", () => {
    const nodes = Array.from({ length: 60 }, (_, at) =>
      node((at % 20) * 12, Math.floor(at / 20) * 6, `Service${at}`, at === 30 || at === 31),
    );
    const [first, ...others] = labels(nodes);
    expect(first).toMatchObject({ node: 30, text: "Service30", over: true });
    const second = others.find((one) => one.node === 31);
    if (second)
      expect(boxOf(second).top >= boxOf(first!).bottom || boxOf(second).bottom <= boxOf(first!).top).toBe(
        true,
      );
    expect(others.filter(({ node: at }) => at !== 31).some(({ over }) => over)).toBe(false);
    // Were all of them in trouble, their names would hide them.
    expect(labels(nodes.map((one) => ({ ...one, first: true }))).some(({ over }) => over)).toBe(false);
  });

  it("are the same wherever the drawing lies", () => {
    const at = (dx: number) =>
      labels([0, 1, 2, 3, 4, 5].map((column) => node(column * 17 + dx, 0, `Service${column}`))).map(
        ({ text }) => text,
      );
    expect(at(0)).toEqual(at(7));
  });
});

describe("a name that its node has little room for", () => {
  it("stands beside it where more of it does", () => {
    expect(labels([node(0, 0, "ProduceAd", false, 6)])).toMatchObject([{ text: "ProduceAd" }]);
    const [above, below, right] = [
      { x: 0, y: -13, width: 40, height: 11 },
      { x: 0, y: 6, width: 30, height: 11 },
      { x: 12, y: -4, width: 40, height: 10 },
    ];
    // Six letters is what there is room for below, and in the node.
    expect(labels([node(0, 0, "ProduceAd", false, 6)], [above, { ...below, x: 30 }, right])).toEqual([]);
    expect(labels([node(0, 0, "ProduceAd", false, 5)], [above, { ...below, x: 30 }, right])).toMatchObject([
      { text: "Pro…Ad" },
    ]);
  });
});

describe("names of bundles", () => {
  const bundle = (x: number, y: number): FarBundle => ({
    ...{ x, y, width: 60, height: 30, name: "Orders", nameWidth: 40 },
  });
  const meets = (a: Box, b: Box): boolean =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  /** Four rows of five in each, as small as they are far out. */
  const nodesIn = ({ x, y }: Box): Box[] =>
    Array.from({ length: 20 }, (_, at) => ({
      ...{ x: x + 3 + (at % 5) * 11, y: y + 5 + Math.floor(at / 5) * 6, width: 9, height: 4 },
    }));

  it("stand on the upper border where nothing is close below it", () => {
    const one = bundle(0, 0);
    expect(farBundleNames([one], [{ x: 5, y: 12, width: 9, height: 4 }])).toEqual([
      { x: 10, y: -9, width: 48, height: 18 },
    ]);
  });

  it("lie neither over nodes, nor over another bundle, nor over each other, in a column close together", () => {
    const bundles = Array.from({ length: 10 }, (_, at) => bundle(0, at * 37));
    const nodes = bundles.flatMap(nodesIn);
    const names = farBundleNames(bundles, nodes).filter((name) => name !== undefined);
    expect(names).toHaveLength(10);
    for (const [at, name] of names.entries()) {
      expect([...nodes, ...names.slice(at + 1)].filter((other) => meets(name, other))).toEqual([]);
      expect(bundles.filter((other, of) => of !== at && meets(name, other))).toEqual([]);
    }
  });

  it("are put over the nodes of their own where there is no other place, and no name of a node under them", () => {
    const bundles = [-64, 0, 64].flatMap((x) => [-34, 0, 34].map((y) => bundle(x, y)));
    const nodes = bundles.flatMap(nodesIn).map((box) => ({ ...box, name: "Service", first: false, room: 0 }));
    const names = farBundleNames(bundles, nodes).filter((name) => name !== undefined);
    expect(names).toHaveLength(9);
    expect(names[4]).toEqual({ x: 10, y: -9, width: 48, height: 18 });
    for (const label of labels(nodes, names)) {
      const { left: x, top: y, right, bottom } = boxOf(label);
      expect(names.filter((name) => meets(name, { x, y, width: right - x, height: bottom - y }))).toEqual([]);
    }
  });

  it("are left out where they would cover what is beside their bundle", () => {
    const narrow = [0, 30, 60].flatMap((x) => [0, 32, 64].map((y) => ({ ...bundle(x, y), width: 26 })));
    const nodes = narrow.map(({ x, y }) => ({ x: x + 2, y: y + 2, width: 22, height: 26 }));
    expect(farBundleNames(narrow, nodes)[4]).toBeUndefined();
  });
});

it("moves a name that the end of the view would cut into it, unless another one is there", () => {
  const at = (x: number, width = 60) => ({ x, y: 10, width, height: 18 });
  const view = { x: 100, width: 300 };
  const kept = (...places: (Box | undefined)[]) => keptInView(places, view).map((place) => place?.x);
  expect(kept(at(80), undefined, at(200), at(370))).toEqual([100, undefined, 200, 340]);
  // Out of view, as wide as nothing of it, and where another one is.
  expect(kept(at(30), at(400), at(90, 301))).toEqual([30, 400, 90]);
  expect(kept(at(60), at(125))).toEqual([60, 125]);
  expect(kept(at(380), at(390))).toEqual([380, 390]);
});
