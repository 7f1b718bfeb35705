import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore, select, undo, workbenchStore } from "../../../kernel/document/index.js";
import { open } from "../../../testing/ads.js";
import { openNode } from "../openNode.js";
import { NodeName } from "./NodeName.js";

const NODE = "service:ProduceAd";
const services = () => documentStore.getState().topology.services.map(({ name }) => name);
const field = () => screen.queryByRole<HTMLInputElement>("textbox");
const naming = () => act(() => openNode(NODE, true));

beforeEach(() => {
  open();
  select(NODE);
  render(
    <main className="canvas" tabIndex={-1}>
      <NodeName node={NODE} nodeRef={NODE} name="ProduceAd" rule="service" className="node-name" />
    </main>,
  );
});
afterEach(cleanup);

it("takes the cursor, renames on Enter and gives the keys back to the canvas", () => {
  expect(field()).toBeNull();
  naming();
  expect(document.activeElement).toBe(field());
  fireEvent.change(field()!, { target: { value: "Offer" } });
  fireEvent.keyDown(field()!, { key: "Enter" });
  expect(services()).toContain("Offer");
  expect(services()).not.toContain("ProduceAd");
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(document.querySelector("main.canvas"));
  expect(documentStore.getState().selection).toEqual(["service:Offer"]);
});

it("is one step, though the field is left by Enter as well", () => {
  naming();
  fireEvent.change(field()!, { target: { value: "Offer" } });
  fireEvent.keyDown(field()!, { key: "Enter" });
  expect(documentStore.getState().names).toEqual([{ ref: NODE, to: "Offer" }]);
  act(() => void undo());
  expect(services()).toContain("ProduceAd");
  expect(documentStore.getState().past).toEqual([]);
});

it("keeps its name at Escape, where another could be too", () => {
  naming();
  fireEvent.change(field()!, { target: { value: "Offer" } });
  fireEvent.keyDown(field()!, { key: "Escape" });
  expect(field()).toBeNull();
  expect(services()).toContain("ProduceAd");
  expect(documentStore.getState().past).toEqual([]);
});

it("stays with the reason where the name cannot be, and leaves it at Escape", () => {
  naming();
  fireEvent.change(field()!, { target: { value: "GetAd" } });
  fireEvent.keyDown(field()!, { key: "Enter" });
  expect(screen.getByRole("alert").textContent).not.toBe("");
  fireEvent.keyDown(field()!, { key: "Escape" });
  expect(field()).toBeNull();
  expect(services()).toContain("ProduceAd");
});

it("is left when something else is selected", () => {
  naming();
  act(() => select([]));
  expect(field()).toBeNull();
});

it("is the handler that a double click beside the name opens", () => {
  act(() => openNode(NODE, false));
  expect(field()).toBeNull();
  expect(workbenchStore.getState()).toMatchObject({ view: "code", codeNode: NODE });
});
