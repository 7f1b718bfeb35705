import { newProject } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { PORTS } from "../../../kernel/document/canvasRefs.js";
import { addServiceAt } from "../../../drawing/edits/add.js";
import { namingStore, stopNaming } from "../../../drawing/screen/naming.js";
import { open } from "../../../testing/ads.js";
import { QuickAdd } from "./QuickAdd.js";

const topology = () => documentStore.getState().topology;
/** A line from the lower edge of Checkout was let go over nothing; then somebody types. */
function type(text: string): HTMLElement {
  const from = { node: "service:Checkout", handle: PORTS.callOut };
  render(<QuickAdd popup={{ kind: "add", at: { x: 0, y: 0 }, canvas: { x: 0, y: 300 }, from }} />);
  const input = screen.getByRole("combobox");
  fireEvent.change(input, { target: { value: text } });
  return input;
}
const offered = () => screen.queryAllByRole("option").map(({ firstChild }) => firstChild?.nextSibling);

beforeEach(() => {
  open(newProject("shop"));
  addServiceAt("simple", { x: 0, y: 0 }, undefined, "Checkout");
  stopNaming();
});
afterEach(cleanup);

it("draws a service of a name that is new, called by whom the line came from", () => {
  fireEvent.keyDown(type("Price"), { key: "Enter" });
  expect(topology().services.map(({ name, kind, calls }) => [name, kind, calls])).toEqual([
    ["Checkout", "simple", ["Price"]],
    ["Price", "simple", []],
  ]);
  expect(documentStore.getState().selection).toEqual(["service:Price"]);
  // It has its name.
  expect(namingStore.getState().node).toBeNull();
});

it("offers what is there of that name first", () => {
  type("Simple");
  expect(offered().map((label) => label?.textContent)).toEqual(["Simple service", "New service Simple"]);
});

it.each(["checkout", "Checkout", "price", "Class?"])("makes no service of %j", (text) => {
  type(text);
  expect(screen.queryByText(/^New service/)).toBeNull();
});

it("takes another service than the one that asks, which can be chosen all the same", () => {
  open(newProject("shop"));
  for (const name of ["Checkout", "Price"]) addServiceAt("simple", { x: 0, y: 0 }, undefined, name);
  const chosen = () => screen.getByRole("option", { selected: true }).textContent;
  type("");
  expect(chosen()).toContain("Price");
  cleanup();
  fireEvent.keyDown(type("checkout"), { key: "Enter" });
  expect(topology().services[0]?.calls).toEqual(["Checkout"]);
});

it("takes a new service where there is none but the one that asks", () => {
  fireEvent.keyDown(type(""), { key: "Enter" });
  expect(topology().services[0]?.calls).toEqual(["Service"]);
});
