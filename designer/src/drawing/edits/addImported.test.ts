import { topologySchema, type Topology } from "@penstock/codegen/topology";
import { beforeEach, expect, it } from "vitest";
import { documentStore, edit, prepareEditsWith, undo } from "../../kernel/document/index.js";
import { adsTopology, open } from "../../testing/ads.js";
import { canvasBoxes, keepPlaces } from "../geometry/boxes.js";
import { addedPart, addImported, refsOf } from "./addImported.js";

const described = {
  messages: [{ name: "Item", fields: [] }],
  enums: [{ name: "Colour", values: [{ name: "NONE", number: 0 }] }],
  services: ["Find", "Buy", "Sell"].map((name) => ({ name, request: "Item", kind: "simple" })),
  bundles: [{ name: "Shop", services: ["Find", "Buy", "Sell"] }],
};
const after = (before: Topology): Topology => {
  const { messages, enums, services, bundles } = topologySchema.parse({
    penstock: 1,
    name: "x",
    ...described,
  });
  return {
    ...before,
    messages: [...before.messages, ...messages],
    enums: [...before.enums, ...enums],
    services: [...before.services, ...services],
    bundles: [...before.bundles, ...bundles],
  };
};
const grid = {
  "service:Find": { x: 0, y: 0 },
  "service:Buy": { x: 264, y: 0 },
  "service:Sell": { x: 0, y: 132 },
};
const state = () => documentStore.getState();

// As on the canvas.
prepareEditsWith(keepPlaces);
beforeEach(() => open(adsTopology()));

it("lies below all that was there, as one step that moves nothing else", () => {
  const before = state().topology;
  const old = canvasBoxes(before, state().layout);
  const part = addedPart(before, after(before));
  edit("Import shop.proto", (model) => addImported(model, after(before), grid), { select: refsOf(part) });

  const boxes = canvasBoxes(state().topology, state().layout);
  for (const [ref, box] of old) expect(boxes.get(ref)).toEqual(box);
  const lowest = Math.max(...[...old.values()].map(({ y, height }) => y + height));
  expect(boxes.get("bundle:Shop")!.y).toBeGreaterThan(lowest);
  const [find, buy, sell] = ["Find", "Buy", "Sell"].map((name) => boxes.get(`service:${name}`)!);
  expect([buy!.x - find!.x, buy!.y - find!.y]).toEqual([264, 0]);
  expect([sell!.x - find!.x, sell!.y - find!.y]).toEqual([0, 132]);

  expect(state().selection).toEqual(["service:Find", "service:Buy", "service:Sell"]);
  expect(state().past.map(({ label }) => label)).toEqual(["Import shop.proto"]);
  undo();
  expect(state().topology).toBe(before);
});

it("begins where a drawing begins that has nothing yet", () => {
  open(topologySchema.parse({ penstock: 1, name: "empty" }));
  edit("Import", (model) => addImported(model, after(model.topology), grid));
  expect(state().layout.nodes).toEqual(grid);
});

it("selects messages and enums where there is no node", () => {
  const before = state().topology;
  const part = addedPart(before, { ...after(before), services: before.services, bundles: before.bundles });
  expect(refsOf(part)).toEqual(["message:Item", "enum:Colour"]);
});
