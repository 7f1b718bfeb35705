import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkEdgeId } from "../../../kernel/document/edgeIds.js";
import { documentStore, edit, select, undo } from "../../../kernel/document/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { TooltipProvider } from "../../../kernel/ui/index.js";
import { Inspector } from "../Inspector.js";

const PICK = "stage:Impressions/pick";
const state = () => documentStore.getState();
const stages = () => state().topology.flows[0]!.stages;
const idField = () => screen.getByLabelText<HTMLInputElement>("Stage id");
const type = (text: string): void => void fireEvent.change(idField(), { target: { value: text } });
const enter = (): void => void fireEvent.keyDown(idField(), { key: "Enter" });
const show = (id = PICK): void => {
  select(id);
  render(<Inspector />, { wrapper: TooltipProvider });
};

beforeEach(() => {
  const topology = adsTopology();
  topology.flows[0]!.stages[1]!.after = ["pick"];
  topology.binaries[0]!.presets = [
    { name: "night", pools: [], joins: [{ flow: "Impressions", stage: "pick" }] },
  ];
  open(topology);
});
afterEach(cleanup);

describe("the id of a stage", () => {
  it("is changed by Enter wherever the stage is named, in one step", () => {
    edit("Place", (model) => ({ ...model, layout: { penstock: 1, nodes: { [PICK]: { x: 5, y: 6 } } } }));
    show();
    type("choose");
    enter();
    expect(stages().map(({ id }) => id)).toEqual(["choose", "log", "oops"]);
    expect(stages()[0]?.join).toEqual({ pool: "front" });
    expect(stages()[1]?.after).toEqual(["choose"]);
    expect(state().topology.binaries[0]?.presets?.[0]?.joins).toEqual([
      { flow: "Impressions", stage: "choose" },
    ]);
    expect(state().layout.nodes).toEqual({ "stage:Impressions/choose": { x: 5, y: 6 } });
    expect(state().selection).toEqual(["stage:Impressions/choose"]);
    expect(idField().value).toBe("choose");
    undo();
    expect(stages()[1]?.after).toEqual(["pick"]);
  });

  it("is changed when the field is left, and stays in sight when a line into or out of it is selected", () => {
    const line = linkEdgeId("Impressions", "log", "pick");
    show(line);
    type("store");
    fireEvent.blur(idField());
    expect(stages()[1]?.id).toBe("store");
    expect(state().selection).toEqual([linkEdgeId("Impressions", "store", "pick")]);
    expect(idField().value).toBe("store");
    cleanup();
    show("catch:Impressions/oops");
    type("failed");
    enter();
    expect(state().selection).toEqual(["catch:Impressions/failed"]);
  });

  it.each([
    ["Pick", "beginning with a lower-case letter"],
    ["", "empty name"],
    ["class", "cannot name a stage"],
    ["log", "log is there already"],
    ["lOG", "log is there already"],
  ])("is not changed to %j, and says why", (text, why) => {
    const { topology } = state();
    show();
    type(text);
    expect(screen.getByText(why, { exact: false })).not.toBeNull();
    enter();
    expect(idField().value).toBe(text);
    fireEvent.blur(idField());
    expect(idField().value).toBe("pick");
    expect(screen.queryByText(why, { exact: false })).toBeNull();
    expect(state().topology).toBe(topology);
  });

  it("is as it was after Escape", () => {
    show();
    type("Pick");
    fireEvent.keyDown(idField(), { key: "Escape" });
    expect(idField().value).toBe("pick");
    expect(idField().getAttribute("aria-invalid")).toBe("false");
  });
});

it("the description of a stage is its own, apart from the service's", () => {
  show();
  const field = screen.getByLabelText<HTMLTextAreaElement>("Description");
  fireEvent.change(field, { target: { value: " The first choice " } });
  fireEvent.blur(field);
  expect(stages()[0]?.doc).toBe("The first choice");
  expect(state().topology.services[0]?.doc).toBeUndefined();
  fireEvent.change(field, { target: { value: "" } });
  fireEvent.blur(field);
  expect(Object.hasOwn(stages()[0]!, "doc")).toBe(false);
});
