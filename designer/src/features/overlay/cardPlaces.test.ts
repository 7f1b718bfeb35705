import type { InternalNode } from "@xyflow/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Box } from "../../drawing/geometry/box.js";
import { placeCards, registerCard } from "./cardPlaces.js";

const CARD = { width: 120, height: 60 };
const VIEW = { width: 1000, height: 600, transform: [0, 0, 1] as const };
const of = { binary: "shop", pool: "models", services: ["Ask"], stages: [] };
const nodes = new Map([
  [
    "service:Ask",
    {
      id: "service:Ask",
      data: {},
      measured: { width: 200, height: 100 },
      internals: { positionAbsolute: { x: 100, y: 200 } },
    } as unknown as InternalNode,
  ],
]);

const covers = (card: { x: number; y: number }, box: Box): boolean =>
  card.x < box.x + box.width &&
  box.x < card.x + CARD.width &&
  card.y < box.y + box.height &&
  box.y < card.y + CARD.height;

it("stays where it is pointed at, whatever it covers by now", () => {
  const at = placed([]);
  const element = document.createElement("div");
  registerCard("shop/models", element);
  placeCards(VIEW, [of], nodes, []);
  const stood = element.style.transform;
  const said = { x: at.x, y: at.y, ...CARD };
  const points = vi.spyOn(element, "matches").mockImplementation((selector) => selector === ":hover");
  placeCards(VIEW, [of], nodes, [said]);
  expect(element.style.transform).toBe(stood);
  points.mockReturnValue(false);
  placeCards(VIEW, [of], nodes, [said]);
  expect(element.style.transform).not.toBe(stood);
});

afterEach(() => {
  registerCard("shop/models", null);
  vi.restoreAllMocks();
});

function placed(said: readonly Box[], borders: readonly InternalNode[] = []): { x: number; y: number } {
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(CARD.width);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(CARD.height);
  // A new one, which stands nowhere yet.
  registerCard("shop/models", null);
  const element = document.createElement("div");
  registerCard("shop/models", element);
  placeCards(VIEW, [of], new Map([...nodes, ...borders.map((one) => [one.id, one] as const)]), said);
  const [x = Number.NaN, y = Number.NaN] = (element.style.transform.match(/-?\d+/g) ?? []).map(Number);
  return { x, y };
}

it("stands beside its node, and elsewhere where it would cover what is said on a line there", () => {
  const beside = placed([]);
  expect(beside).toEqual({ x: 316, y: 200 });
  const said = { x: 330, y: 220, width: 76, height: 18 };
  const elsewhere = placed([said]);
  expect([covers(elsewhere, said), elsewhere.x > 0]).toEqual([false, true]);
});

it.each([
  ["bundle:Far", { labelX: 20 }, 200],
  ["binary:far", { label: { x: 20, border: "bottom" } }, -200],
])("leaves the name on a border free, but not all that is within: %s", (id, data, y) => {
  const border = {
    id,
    data: { name: "models-server", ...data },
    measured: { width: 400, height: 400 },
    internals: { positionAbsolute: { x: 300, y: y + 10 } },
  } as unknown as InternalNode;
  const at = placed([], [border]);
  expect(covers(at, { x: 320, y: 198, width: 100, height: 24 })).toBe(false);
  border.internals.positionAbsolute.y = -150;
  border.measured.height = 600;
  expect(placed([], [border])).toEqual({ x: 316, y: 200 });
});
