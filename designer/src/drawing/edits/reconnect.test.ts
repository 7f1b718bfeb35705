import { topologySchema, type Topology } from "@penstock/codegen/topology";
import { validateTopology } from "@penstock/codegen/validate";
import { describe, expect, it } from "vitest";
import { documentStore, edit, undo } from "../../kernel/document/index.js";
import { open } from "../../testing/ads.js";
import { PORTS } from "../../kernel/document/canvasRefs.js";
import { reconnection } from "./reconnect.js";

const shop = (): Topology => {
  const services = ["Get", "Price", "Stock", "Rank", "Last"].map((name) => ({
    name,
    request: "Item",
    response: "Item",
    ...(name === "Get" ? { calls: ["Price"] } : {}),
  }));
  return topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Item" }, { name: "Other" }],
    services: [
      ...services,
      { name: "Odd", request: "Other", response: "Other" },
      { name: "Sink", request: "Item" },
    ],
    flows: [
      {
        name: "Items",
        event: "Item",
        source: { kind: "rate", perSecond: 1 },
        stages: [
          { id: "get", service: "Get" },
          { id: "rank", service: "Rank" },
          { id: "last", service: "Last" },
        ],
      },
    ],
    bundles: [{ name: "Main", services: [...services.map(({ name }) => name), "Odd"], flows: ["Items"] }],
    binaries: [{ name: "shop-server", bundles: ["Main"] }],
  });
};
const topology = () => documentStore.getState().topology;
const stages = () => topology().flows[0]?.stages;

function dragged(edge: string, from: string, to: string, ports: "call" | "flow" = "flow"): string {
  const [out, into] = ports === "call" ? [PORTS.callOut, PORTS.callIn] : [PORTS.flowOut, PORTS.flowIn];
  const verdict = reconnection(topology(), edge, { node: from, handle: out }, { node: to, handle: into });
  if (!verdict.ok) return verdict.reason;
  edit(verdict.label, verdict.edit);
  return "";
}

describe("an end of a line that is dragged to another port", () => {
  it("gives a call another callee, or another caller, as one step", () => {
    open(shop());
    expect(dragged("call:Get>Price", "stage:Items/get", "service:Stock", "call")).toBe("");
    expect(topology().services[0]?.calls).toEqual(["Stock"]);
    undo();
    expect(topology().services[0]?.calls).toEqual(["Price"]);
    expect(dragged("call:Get>Price", "stage:Items/rank", "service:Price", "call")).toBe("");
    expect(topology().services.map(({ calls }) => calls)).toEqual([[], [], [], ["Price"], [], [], []]);
  });

  it("puts another service into the stage's place, where what follows still fits", () => {
    open(shop());
    expect(dragged("link:Items/rank", "stage:Items/get", "service:Stock")).toBe("");
    expect(stages()).toMatchObject([
      { service: "Get" },
      { id: "rank", service: "Stock" },
      { service: "Last" },
    ]);
    expect(validateTopology(topology()).filter(({ severity }) => severity === "error")).toEqual([]);
    undo();
    expect(topology()).toEqual(shop());
  });

  it("leads into the stage from another one before it", () => {
    open(shop());
    expect(dragged("link:Items/last", "stage:Items/get", "stage:Items/last")).toBe("");
    expect(stages()?.[2]).toMatchObject({ id: "last", after: ["get"] });
  });

  it.each([
    ["link:Items/rank", "stage:Items/get", "service:Odd", /takes "Other", but "Item" arrives/],
    ["link:Items/rank", "stage:Items/get", "service:Sink", /./],
    ["link:Items/rank", "stage:Items/get", "stage:Items/last", /is a stage of a flow already/],
    ["link:Items/last", "flow:Items", "stage:Items/last", /cannot follow the source/],
    ["link:Items/rank", "stage:Items/last", "stage:Items/rank", /stands before/],
  ])("is refused with the reason, and nothing changes: %s %s %s", (edge, from, to, reason) => {
    open(shop());
    expect(dragged(edge, from, to)).toMatch(reason);
    expect(topology()).toEqual(shop());
  });
});
