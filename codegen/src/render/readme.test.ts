import { expect, test } from "vitest";
import { topologyHash, topologySchema } from "../model/topology/index.js";
import { planProject } from "../plan/index.js";
import { renderProject } from "./renderProject.js";

test("a description of several lines is one cell of the README's table", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    doc: "A shop.\n\nOf a kind.",
    messages: [{ name: "Order" }],
    services: [{ name: "Price", request: "Order", doc: "Says a price. \n\r\n  Or a | none." }],
    flows: [
      {
        name: "Orders",
        event: "Order",
        source: { kind: "rate", perSecond: 1 },
        stages: [{ id: "price", service: "Price", role: "side-effect" }],
        doc: "One\ntwo",
      },
    ],
  });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const text = renderProject(plan, () => ({}) as never).get("README.md")?.text;
  expect(text).toContain("| `Price` | `src/services/price.cpp` | Says a price. Or a \\| none. |\n");
  expect(text).toContain("| `Orders` | `src/flows/orders.cpp` | One two |\n");
  expect(text).toContain("A shop.\n\nOf a kind.\n");
});
