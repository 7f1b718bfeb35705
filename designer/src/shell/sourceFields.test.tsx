import type { Problem } from "@penstock/codegen/diagnostics";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { documentStore, undo } from "../kernel/document/index.js";
import { setDrawnProblems } from "../kernel/problems/problemStore.js";
import { adsTopology, open } from "../testing/ads.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { FlowInspector } from "../features/inspector/kinds/FlowInspector.js";
import { compose } from "../registry/feature.js";
import { FEATURES } from "./features.js";

const show = (name = "Impressions") => render(<FlowInspector name={name} />, { wrapper: TooltipProvider });
const source = () => documentStore.getState().topology.flows[0]?.source;
const codeButton = () => screen.queryByLabelText("Edit the event source");

beforeEach(() => {
  compose(FEATURES);
  setDrawnProblems([]);
  open();
});
afterEach(cleanup);

describe("the fields of a rate source's events", () => {
  it("are made by settings, one undoable step each, and then there is no code to edit", () => {
    show();
    expect(codeButton()).not.toBeNull();
    fireEvent.change(screen.getByLabelText("Add to fields"), { target: { value: "cookie" } });
    fireEvent.change(screen.getByLabelText("How cookie is made"), { target: { value: "choice" } });
    expect(source()).toEqual({ kind: "rate", perSecond: 200, event: { cookie: { choice: ["a", "b"] } } });
    expect(codeButton()).toBeNull();
    fireEvent.click(screen.getByLabelText("Remove cookie"));
    expect(source()).toEqual({ kind: "rate", perSecond: 200 });
    expect(codeButton()).not.toBeNull();
    undo();
    expect(source()).toMatchObject({ event: { cookie: { choice: ["a", "b"] } } });
  });

  it("say what is wrong at the field, one that the message does not have included", () => {
    const topology = adsTopology();
    topology.flows[0]!.source = { kind: "rate", perSecond: 1, event: { cooky: { sequence: 1 } } };
    open(topology);
    const problem = { severity: "error", pointer: "/flows/0/source/event/cooky", message: "no such field" };
    setDrawnProblems([problem as Problem]);
    show();
    expect(screen.getByText("no such field")).not.toBeNull();
    fireEvent.click(screen.getByLabelText("Remove cooky"));
    expect(source()).toEqual({ kind: "rate", perSecond: 1 });
  });

  it("are no setting of other sources, or of events without a message", () => {
    const topology = adsTopology();
    topology.flows[0]!.source = { kind: "http", path: "/a" };
    topology.flows.push({ name: "Odd", event: "", source: { kind: "rate", perSecond: 1 }, stages: [] });
    open(topology);
    for (const name of ["Impressions", "Odd"]) {
      show(name);
      expect(screen.queryByLabelText("Add to fields")).toBeNull();
      cleanup();
    }
  });
});
