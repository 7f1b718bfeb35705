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

afterEach(() => {
  registerCard("shop/models", null);
  vi.restoreAllMocks();
});

function placed(said: readonly Box[]): { x: number; y: number } {
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(CARD.width);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(CARD.height);
  const element = document.createElement("div");
  registerCard("shop/models", element);
  placeCards(VIEW, [of], nodes, said);
  const [x = Number.NaN, y = Number.NaN] = (element.style.transform.match(/-?\d+/g) ?? []).map(Number);
  return { x, y };
}

it("stands beside its node, and elsewhere where it would cover what is said on a line there", () => {
  const beside = placed([]);
  expect(beside).toEqual({ x: 316, y: 200 });
  const said = { x: 330, y: 220, width: 76, height: 18 };
  const elsewhere = placed([said]);
  const covers =
    elsewhere.x < said.x + said.width &&
    said.x < elsewhere.x + CARD.width &&
    elsewhere.y < said.y + said.height &&
    said.y < elsewhere.y + CARD.height;
  expect([covers, elsewhere.x > 0]).toEqual([false, true]);
});
