import { topologySchema } from "@penstock/codegen/topology";
import { beforeEach, expect, it } from "vitest";
import { resetLive, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { sampleOf } from "../../testing/sampleOf.js";
import { lookOf, type Scene } from "./lookOf.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "Order", fields: [] }],
  services: [
    { name: "Checkout", request: "Order", response: "Order", calls: ["Price"] },
    { name: "Price", request: "Order", response: "Order" },
  ],
});
const service = (id: number, name: string) => ({
  id,
  name,
  kind: "simple",
  pool: 0,
  implementations: [],
  written: false,
});
const scene = { topology, bottlenecks: [], colors: {}, now: 0 } as unknown as Scene;

beforeEach(() => {
  resetLive();
  takeSchema(schemaOf({ binary: "shop", services: [service(0, "Checkout"), service(1, "Price")] }));
});

/** Two samples, a second apart: what each service has answered, and what of it as unwritten. */
function ran(unwritten: { checkout: number; price: number }): void {
  for (const share of [0, 1])
    takeSample(
      "shop",
      sampleOf(1000 * share, {
        services: [
          [0, 100 * share, unwritten.checkout * share, 0, unwritten.checkout * share, 1, 1, 1, 1],
          [1, 100 * share, unwritten.price * share, 0, unwritten.price * share, 1, 1, 1, 1],
        ],
      }),
    );
}
const words = (ref: string) => lookOf(scene, ref)?.figures?.errorWords;

it("calls unwritten whose handler is, not who asks it", () => {
  ran({ checkout: 100, price: 100 });
  expect([words("service:Checkout"), words("service:Price")]).toEqual([undefined, "not written"]);
  expect(lookOf(scene, "service:Checkout")?.figures?.errorRate).toBe(100);
});

it("calls a caller unwritten when those that it asks do answer", () => {
  ran({ checkout: 100, price: 0 });
  expect([words("service:Checkout"), words("service:Price")]).toEqual(["not written", undefined]);
});

it("calls no node unwritten, whose handler is generated: it hands on what others answered", () => {
  const [checkout, price] = topology.services;
  const node = { type: "twirp-call", settings: {} };
  const drawn = { ...topology, services: [checkout!, { ...price!, node }] };
  ran({ checkout: 0, price: 100 });
  expect(lookOf({ ...scene, topology: drawn }, "service:Price")?.figures).toMatchObject({ errorRate: 100 });
  expect(lookOf({ ...scene, topology: drawn }, "service:Price")?.figures?.errorWords).toBeUndefined();
});

it("shows a stage of another binary by the events of its flow, and by the work that is done there", () => {
  const apart = (binary: string, more: object) => takeSchema(schemaOf({ binary, ...more }));
  resetLive();
  apart("front", {
    remotes: [{ id: 4, name: "Log", binary: "logs" }],
    flows: [
      {
        id: 0,
        name: "Orders",
        source: { kind: "rate", perSecond: 9 },
        stages: [{ id: "log", service: 4, role: "side-effect", pool: null }],
      },
    ],
  });
  for (const t of [0, 1000])
    takeSample("front", sampleOf(t, { stages: [[0, 0, t / 10, 0, 1, 1, 700, 700]] }));
  // Nothing is known of the other one.
  expect(lookOf(scene, "stage:Orders/log")).toMatchObject({ figures: { rate: 100, p99: 700 }, load: null });
  apart("logs", {
    services: [service(0, "Log")],
    pools: [{ id: 0, name: "disk", queue: 8, overflow: "block", idle: "park", priority: 0, threads: [] }],
  });
  for (const t of [0, 1000])
    takeSample(
      "logs",
      sampleOf(t, { services: [[0, t / 5, 0, 0, 0, 1, 1, 40, 40]], pools: [[0, 4, 1, 1, 0, 0]] }),
    );
  expect(lookOf(scene, "stage:Orders/log")).toMatchObject({
    figures: { rate: 100, p99: 40 },
    load: { waiting: 0.5 },
  });
});
