import { expect, it } from "vitest";
import type { Box } from "../../drawing/geometry/box.js";
import { cardSpot, type Taken } from "./cardSpot.js";

const CARD = { width: 292, height: 180 };
const VIEW = { width: 1100, height: 500 };
const node = (x: number, y: number): Box => ({ x, y, width: 200, height: 100 });
const covers = ({ x, y }: { x: number; y: number }, box: Box): boolean =>
  x < box.x + box.width && box.x < x + CARD.width && y < box.y + box.height && box.y < y + CARD.height;
const place = (own: Box, others: Taken[] = [], before?: string) =>
  cardSpot(CARD, own, [own, ...others], VIEW, before);

it("stands right of its node, left where the view ends, below where both sides are taken", () => {
  expect(place(node(300, 150))).toMatchObject({ x: 516, y: 150 });
  expect(place(node(880, 150))).toMatchObject({ x: 880 - 16 - 292, y: 150 });
  const row = [node(30, 60), node(560, 60), node(800, 60)];
  const below = place(node(300, 60), row);
  expect(below).toMatchObject({ x: 300, y: 176 });
  expect(row.some((box) => covers(below, box))).toBe(false);
});

it("goes where there is room when all around its node is taken, and never off the view", () => {
  // Rows as an arranged drawing has them; only the right end of the last one is free.
  const rows = [20, 190, 360].flatMap((y) => [20, 250, 480, 710].map((x) => node(x, y)));
  const free = rows.filter(({ x, y }) => !(y === 360 && x > 400) && !(y === 190 && x > 600));
  const spot = place(rows[0]!, free.slice(1));
  expect(free.some((box) => covers(spot, box))).toBe(false);
  for (const own of [node(-150, -60), node(1050, 470), node(1050, -90), node(500, 200)]) {
    const { x, y } = place(own, rows);
    expect(x >= 8 && y >= 8 && x + CARD.width <= VIEW.width - 8 && y + CARD.height <= VIEW.height - 8).toBe(
      true,
    );
  }
});

it("stays where it stands until another place is better by more than a trifle", () => {
  const own = node(300, 150);
  const spot = place(own);
  const leftOf = place(own, [], "left 0");
  expect(leftOf.name).toBe("left 0");
  expect(spot.name).not.toBe("left 0");
  expect(place(own, [node(20, 150)], "left 0").name).toBe(spot.name);
});

it("leaves what it covers for any place where it covers nothing, and says how much it covers where there is none", () => {
  const own = node(300, 150);
  const spot = place(own, [], "view 9 4");
  expect(spot.name).toBe("view 9 4");
  expect(spot.covers).toBe(0);
  const trifle = { x: spot.x + CARD.width - 2, y: spot.y, width: 200, height: 100 };
  const elsewhere = place(own, [trifle], "view 9 4");
  expect([elsewhere.name === spot.name, elsewhere.covers]).toEqual([false, 0]);
  const everywhere = { x: 0, y: 0, ...VIEW };
  expect(place(own, [everywhere]).covers).toBeGreaterThan(0);
});

it("rather covers the map than a node, and the map alone is nothing that is needed", () => {
  // Nodes everywhere but where the map is, which is a little lower than a card.
  const own = node(20, 20);
  const rows = [20, 135, 250].flatMap((y) => [20, 240, 460, 680, 900].map((x) => node(x, y)));
  const others = [...rows, ...[20, 240, 460].map((x) => node(x, 380))].slice(1);
  const map = { x: 780, y: 320, width: 320, height: 180, dispensable: true };
  const free = others.filter((box) => !(box.x >= 680 && box.y >= 250));
  const spot = place(own, [...free, map]);
  expect(spot.covers).toBe(0);
  expect(covers(spot, map)).toBe(true);
  expect(place(own, [...free, { ...map, dispensable: false }]).covers).toBeGreaterThan(0);
});
