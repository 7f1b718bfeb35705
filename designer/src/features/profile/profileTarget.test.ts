import { expect, it } from "vitest";
import { topologySchema } from "@penstock/codegen/topology";
import { profileTarget } from "./profileTarget.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "M" }],
  services: [
    { name: "Price", request: "M", response: "M" },
    { name: "Log", request: "M" },
  ],
  flows: [
    {
      name: "Ticks",
      event: "M",
      source: { kind: "rate", perSecond: 1 },
      stages: [{ id: "log", service: "Log", role: "side-effect" }],
    },
  ],
  bundles: [
    { name: "A", services: ["Price"] },
    { name: "B", services: ["Log"], flows: ["Ticks"] },
  ],
  binaries: [
    { name: "front", bundles: ["A"], pools: [{ name: "p", threads: [{}] }] },
    { name: "back", bundles: ["B"], pools: [{ name: "p", threads: [{}] }] },
  ],
});
const of = (selected: string, ...running: string[]) =>
  profileTarget(topology, selected, (binary) => running.includes(binary));

it("a binary's frame and its pools are about the binary, while it runs", () => {
  expect(of("binary:back", "front", "back")).toEqual({ binary: "back" });
  expect(of("pool:front/p", "front", "back")).toEqual({ binary: "front" });
  expect(of("binary:back", "front")).toBeUndefined();
});

it("a service is recorded with the binary that runs it, and stands out", () => {
  expect(of("service:Price", "front", "back")).toEqual({ binary: "front", service: "Price" });
  expect(of("stage:Ticks/log", "front", "back")).toEqual({ binary: "back", service: "Log" });
  expect(of("flow:Ticks", "front", "back")).toEqual({ binary: "back" });
  expect(of("service:Price", "back")).toBeUndefined();
});

it("with nothing selected it is the only binary that runs", () => {
  expect(of("", "front")).toEqual({ binary: "front" });
  expect(of("", "front", "back")).toBeUndefined();
  expect(of("")).toBeUndefined();
});
