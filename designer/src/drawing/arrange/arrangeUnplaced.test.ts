import { expect, it, vi } from "vitest";
import { documentStore, edit, undo } from "../../kernel/document/index.js";
import { placed } from "../../kernel/document/edits/layout.js";
import { open } from "../../testing/ads.js";
import { arrangeUnplaced } from "./arrangeUnplaced.js";
import { drawnItems } from "../geometry/boxes.js";

type Arrange = NonNullable<Parameters<typeof arrangeUnplaced>[0]>;
const places = () =>
  Object.fromEntries(
    drawnItems(documentStore.getState().topology).map((item, at) => [item.ref, { x: at * 300, y: 11 }]),
  );
const arrange: Arrange = async (take) => take?.(places());

it("arranges a drawing without places, without a step to undo and without a save", async () => {
  open();
  await arrangeUnplaced(arrange);
  const { layout, past, save } = documentStore.getState();
  expect(layout.nodes).toMatchObject(places());
  expect([past.length, save.state]).toEqual([0, "saved"]);
  expect(undo()).toBe(false);
});

it("leaves a drawing alone that somebody has placed, before or meanwhile", async () => {
  open();
  edit("Move", (model) => placed(model, { "service:ProduceAd": { x: 5, y: 6 } }));
  const { layout } = documentStore.getState();
  const asked = vi.fn<Arrange>(arrange);
  await arrangeUnplaced(asked);
  expect(asked).not.toHaveBeenCalled();
  expect(documentStore.getState().layout).toBe(layout);

  open();
  await arrangeUnplaced(async (take) => {
    edit("Move", (model) => placed(model, { "service:ProduceAd": { x: 5, y: 6 } }));
    take?.(places());
  });
  expect(documentStore.getState().layout.nodes["service:ProduceAd"]).toEqual({ x: 5, y: 6 });
});
