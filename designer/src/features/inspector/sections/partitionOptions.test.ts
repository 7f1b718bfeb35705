import { topologySchema } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { partitionOptions, UNDIVIDED } from "./partitionOptions.js";

const drawn = (service: object) =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [
      {
        name: "Order",
        fields: [
          { name: "customer", type: "int64", tag: 1 },
          { name: "tier", type: "Tier", tag: 2 },
          { name: "note", type: "string", tag: 3, optional: true },
          { name: "price", type: "double", tag: 4 },
          { name: "items", type: "string", tag: 5, repeated: true },
          { name: "raw", type: "bytes", tag: 6 },
        ],
      },
    ],
    enums: [{ name: "Tier", values: [{ name: "FREE", number: 0 }] }],
    services: [{ name: "Book", request: "Order", kind: "single-threaded", ...service }],
  });

const values = (service: object): string[] => {
  const topology = drawn(service);
  return partitionOptions(topology, topology.services[0]!).map(({ value }) => value);
};

describe("the choice of what divides a service", () => {
  it("should offer the fields that hold one integer, bool, string or enum value", () => {
    expect(values({})).toEqual([UNDIVIDED, "customer", "tier", "note"]);
  });
  it("should keep a field that no longer suits in sight", () => {
    expect(values({ partitionBy: "price" })).toEqual([UNDIVIDED, "price", "customer", "tier", "note"]);
  });
  it("should offer the fields of a failure to one that catches", () => {
    expect(values({ request: "Failure" })).toEqual([UNDIVIDED, "code", "message", "flow", "stage"]);
  });
  it("should offer none while the request is missing", () => {
    expect(values({ request: "Gone" })).toEqual([UNDIVIDED]);
  });
});
