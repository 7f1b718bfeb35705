import { newProject } from "@penstock/codegen/topology";
import { nameFault, validateTopology } from "@penstock/codegen/validate";
import { beforeEach, describe, expect, it } from "vitest";
import { documentStore, edit, prepareEditsWith, undo } from "../../kernel/document/index.js";
import { addMessage, freshEnumName, freshMessageName } from "../../kernel/document/edits/messages.js";
import { open } from "../../testing/ads.js";
import { connection } from "./connect.js";
import { PORTS } from "../../kernel/document/canvasRefs.js";
import { keepPlaces } from "../geometry/boxes.js";
import { toCanvasNodes } from "../toCanvasNodes.js";
import { addServiceAt, addSourceAt } from "./add.js";
import { addAtPointer } from "./palette.js";

const topology = () => documentStore.getState().topology;
const join = (from: string, out: string, to: string, into: string) => {
  const verdict = connection(topology(), { node: from, handle: out }, { node: to, handle: into });
  if (!verdict.ok) throw new Error(verdict.reason);
  edit(verdict.label, verdict.edit);
};

describe("a new project", () => {
  beforeEach(() => {
    prepareEditsWith(keepPlaces);
    open(newProject("shop"));
  });

  it("shows nothing of its bundle until something is drawn", () => {
    const { layout } = documentStore.getState();
    expect(toCanvasNodes(topology(), layout, [])).toEqual([]);
    addServiceAt("simple", { x: 900, y: 900 });
    const drawn = toCanvasNodes(topology(), documentStore.getState().layout, []);
    expect(drawn.map(({ id }) => id)).toEqual(["bundle:Main", "service:Service"]);
  });

  it("runs two services, a call and a source as they are dropped, wherever that is", () => {
    addServiceAt("simple", { x: 900, y: 900 });
    addServiceAt("simple", { x: -900, y: 1200 });
    join("service:Service", PORTS.callOut, "service:Service2", PORTS.callIn);
    addSourceAt("rate", { x: 0, y: 0 });
    join("flow:Events", PORTS.flowOut, "service:Service", PORTS.flowIn);
    expect(validateTopology(topology())).toEqual([]);
    expect(topology().bundles).toEqual([
      { name: "Main", services: ["Service", "Service2"], flows: ["Events"] },
    ]);
    expect(topology().services.map(({ request, response }) => [request, response])).toEqual([
      ["Request", "Response"],
      ["Request", "Response"],
    ]);
  });

  it("leads a source that is put on a service into it, as one step", () => {
    addServiceAt("simple", { x: 900, y: 900 }, undefined, "Checkout");
    addAtPointer({ item: "source", kind: "rate" }, { x: 950, y: 930 });
    expect(validateTopology(topology())).toEqual([]);
    expect(topology().flows).toMatchObject([
      { name: "Events", event: "Request", stages: [{ service: "Checkout" }] },
    ]);
    const { nodes } = documentStore.getState().layout;
    const [source, stage] = [nodes["flow:Events"], nodes["stage:Events/checkout"]];
    expect(source?.y).toBe(stage?.y);
    expect(source!.x).toBeLessThan(stage!.x - 200);
    undo();
    expect(topology().flows).toEqual([]);
  });

  it("leaves a source alone that is put beside a service, or on one of a flow", () => {
    addServiceAt("simple", { x: 900, y: 900 }, undefined, "Checkout");
    addAtPointer({ item: "source", kind: "rate" }, { x: 400, y: 930 });
    expect(topology().flows[0]?.stages).toEqual([]);
    undo();
    addAtPointer({ item: "source", kind: "rate" }, { x: 950, y: 930 });
    addAtPointer({ item: "source", kind: "rate" }, { x: 950, y: 930 });
    expect(topology().flows.map(({ stages }) => stages.length)).toEqual([1, 0]);
  });

  it("takes the messages of its first service back with it", () => {
    addServiceAt("simple", { x: 0, y: 0 });
    undo();
    expect(topology()).toEqual(newProject("shop"));
  });

  it("names a message that answers as one, though there is none that asks", () => {
    undo();
    expect(freshMessageName({ ...topology(), messages: [] }, "response")).toBe("Response");
    expect(freshMessageName({ ...topology(), messages: [] })).toBe("Request");
  });

  it("names its messages and enums as they may be named, however many", () => {
    for (let count = 0; count < 4; count++) {
      const name = freshMessageName(topology());
      expect(nameFault("message", name)).toBeUndefined();
      edit("Add", (model) => addMessage(model, name));
    }
    expect(topology().messages.map(({ name }) => name)).toEqual(["Request", "Response", "Data", "Data2"]);
    expect(nameFault("enum", freshEnumName(topology()))).toBeUndefined();
  });
});
