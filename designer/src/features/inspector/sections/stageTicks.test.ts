import { topologySchema } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { branchTicks, followTicks, type Tick } from "./stageTicks.js";

const drawn = (stages: object[]) =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [
      { name: "Order", fields: [{ name: "number", type: "uint64", tag: 1 }] },
      { name: "Priced", fields: [{ name: "tier", type: "Tier", tag: 1 }] },
    ],
    enums: [
      {
        name: "Tier",
        values: [
          { name: "FREE", number: 0 },
          { name: "PAID", number: 1 },
          { name: "TRIAL", number: 2 },
        ],
      },
    ],
    services: [
      { name: "Price", request: "Order", response: "Priced" },
      { name: "Check", request: "Order" },
      { name: "Log", request: "Priced" },
      { name: "Oops", request: "Failure" },
    ],
    flows: [{ name: "Orders", event: "Order", source: { kind: "service" }, stages }],
  });

const check = { id: "check", service: "Check", role: "side-effect" };
const price = { id: "price", service: "Price" };
const log = { id: "log", service: "Log", role: "side-effect" };
const audit = { ...log, id: "audit" };

const shown = (ticks: readonly Tick[]): string[] =>
  ticks.map(({ name, ticked, fault }) => `${ticked ? "+" : "-"}${name}${fault ? ` (${fault})` : ""}`);
const values = (stages: object[], id: string): string[] => {
  const topology = drawn(stages);
  return shown(branchTicks(topology, topology.flows[0]!, id));
};
const before = (stages: object[], id: string): string[] => {
  const topology = drawn(stages);
  return shown(followTicks(topology, topology.flows[0]!, id));
};

describe("the values that take a branch", () => {
  it("should be those of the enum that decides before it", () => {
    expect(values([price, log], "log")).toEqual(["-FREE", "-PAID", "-TRIAL"]);
    expect(values([price, { ...log, when: "PAID" }], "log")).toEqual(["-FREE", "+PAID", "-TRIAL"]);
    expect(values([price, { ...log, when: ["PAID", "FREE"] }], "log")).toEqual(["+FREE", "+PAID", "-TRIAL"]);
  });
  it("should be offered behind a side effect, which passes on what decides", () => {
    expect(values([price, log, audit], "audit")).toEqual(["-FREE", "-PAID", "-TRIAL"]);
  });
  it("should not be offered where nothing decides", () => {
    expect(values([check, price, log], "check")).toEqual([]);
    expect(values([check, price, log], "price")).toEqual([]);
    expect(values([price, { id: "oops", service: "Oops", role: "catch" }], "oops")).toEqual([]);
  });
  it("should keep one in sight that is none of them", () => {
    expect(values([price, { ...log, when: ["PAID", "GONE"] }], "log")).toEqual([
      "-FREE",
      "+PAID",
      "-TRIAL",
      "+GONE (not possible)",
    ]);
    expect(values([{ ...check, when: "PAID" }], "check")).toEqual(["+PAID (not possible)"]);
  });
});

describe("the stages that one may follow", () => {
  it("should be those before it that give what it takes", () => {
    expect(before([check, price, log, audit], "audit")).toEqual(["-price", "+log"]);
    expect(before([price, log, { ...audit, after: ["price"] }], "audit")).toEqual(["+price", "-log"]);
  });
  it("should be none for the first one, which follows the source", () => {
    expect(before([price, log], "price")).toEqual([]);
  });
  it("should keep one in sight that it follows and may not", () => {
    expect(before([check, price, { ...log, after: ["check", "gone"] }], "log")).toEqual([
      "+check (not possible)",
      "-price",
      "+gone (not possible)",
    ]);
  });
});
