import { expect, test } from "vitest";
import { topologyHash, topologySchema, transportTo } from "../model/topology/index.js";
import { planBinaries } from "./planBinaries.js";
import { planProject } from "./planProject.js";
import type { OfferPlan } from "./projectPlan.js";

test("a pool whose threads come and go starts with the fewest, and is told the most", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "a",
    binaries: [
      {
        name: "b",
        pools: [
          { name: "still", threads: [{ cpus: [0] }, {}] },
          { name: "moving", threads: { from: 2, to: 32 } },
        ],
      },
    ],
  });
  const [plan] = planBinaries({ topology, topologyHash: topologyHash(topology), services: [], flows: [] });
  const [still, moving] = plan?.configuration.pools ?? [];
  expect(still).toEqual({
    name: "still",
    threads: [{ cpus: [0] }, {}],
    idle: "adaptive",
    priority: 0,
    queue: 1024,
    overflow: "block",
  });
  expect(moving).toMatchObject({ name: "moving", threads: [{}, {}], upTo: 32 });
});

test("a rule has its presets with it, without what the binary does not have", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "a",
    flows: [],
    binaries: [
      {
        name: "b",
        pools: [{ name: "front", threads: 2 }],
        presets: [
          { name: "calm", pools: [{ name: "front", threads: 1 }] },
          {
            name: "busy",
            pools: [
              { name: "front", threads: [{ cpus: [1] }, {}] },
              { name: "gone", threads: 9 },
            ],
            joins: [{ flow: "Gone", stage: "log" }],
          },
          { name: "night", pools: [{ name: "front", threads: 7 }] },
        ],
        rules: [
          {
            of: "F",
            below: { perSecond: 10, preset: "calm" },
            above: { perSecond: 50.5, preset: "busy" },
            forSeconds: 2,
            doc: "For the evening",
          },
        ],
      },
    ],
  });
  const [plan] = planBinaries({ topology, topologyHash: topologyHash(topology), services: [], flows: [] });
  expect(plan?.configuration.rules).toEqual([
    {
      of: "F",
      below: { perSecond: 10, preset: "calm", pools: [{ name: "front", threads: [{}] }], joins: [] },
      above: {
        perSecond: 50.5,
        preset: "busy",
        pools: [{ name: "front", threads: [{ cpus: [1] }, {}] }],
        joins: [],
      },
      forSeconds: 2,
    },
  ]);
});

test("a service that others run is asked of the first of them, and offered there alone", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: [
      { name: "Take", request: "Order", calls: ["Price", "Pack", "Nobody"] },
      { name: "Price", request: "Order", response: "Order", deadlineMs: 20, idempotent: true },
      { name: "Pack", request: "Order", kind: "sync-remote", implementations: ["Big", "Small"] },
      { name: "Nobody", request: "Order" },
    ],
    bundles: [
      { name: "Front", services: ["Take", "Pack"] },
      { name: "More", services: ["Price", "Pack"] },
      { name: "Prices", services: ["Price"] },
    ],
    binaries: [
      { name: "front", bundles: ["Front"] },
      { name: "first", bundles: ["Prices", "More"] },
      { name: "second", bundles: ["Prices"] },
    ],
  });
  const { binaries } = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const [front, first, second] = binaries;
  expect(front?.remotes.map(({ service, binary, wireName }) => [service.name, binary, wireName])).toEqual([
    ["Price", "first", "More/Price"],
  ]);
  expect(front?.remotes[0]?.isIdempotent).toBe(true);
  expect(front?.calls.map(({ callee }) => callee)).toEqual(["Price", "Pack"]);
  expect(front?.includes).toContain("messages_codec.hpp");
  expect(first?.offers).toMatchObject([{ wireName: "More/Price" }]);
  expect(first?.offers[0]).not.toHaveProperty("binary");
  expect(first?.offers[0]).not.toHaveProperty("isIdempotent");
  expect([first?.remotes, second?.remotes, second?.offers]).toEqual([[], [], []]);
  expect(second?.includes).not.toContain("messages_codec.hpp");
});

/** `front` calls `prices`, which is drawn like this. */
const shop = (prices: object, ...others: object[]) =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: [
      { name: "Take", request: "Order", calls: ["Price"] },
      { name: "Price", request: "Order", response: "Order" },
    ],
    bundles: [
      { name: "Front", services: ["Take"] },
      { name: "Prices", services: ["Price"] },
    ],
    binaries: [
      { name: "front", bundles: ["Front"] },
      { name: "prices", bundles: ["Prices"], ...prices },
      ...others,
    ],
  });

test("a binary is told where it listens, and where those listen that it calls", () => {
  const topology = shop(
    { listen: ["tcp://127.0.0.1:7400", "tcp://[::1]:7400"] },
    { name: "alone", bundles: [] },
  );
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  expect(plan.binaries.map(({ configuration: { listen, peers } }) => ({ listen, peers }))).toEqual([
    { peers: { prices: "tcp://127.0.0.1:7400" } },
    { listen: ["tcp://127.0.0.1:7400", "tcp://[::1]:7400"] },
    {},
  ]);
  expect(plan.binaries.map(({ isSecured }) => isSecured)).toEqual([false, false, false]);
});

test("a binary that listens over udp is called there in the clear, on its host", () => {
  const topology = shop({ listen: ["udp://127.0.0.1:7400"] });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  expect(plan.binaries.map(({ configuration: { listen, peers } }) => listen ?? peers)).toEqual([
    { prices: "udp://127.0.0.1:7400" },
    ["udp://127.0.0.1:7400"],
  ]);
  expect(plan.binaries.map(({ isSecured }) => isSecured)).toEqual([false, false]);
  expect(transportTo(topology.binaries[1]!)).toBe("udp");
});

test("a binary that listens over udp beyond its host is called there with keys", () => {
  const topology = shop({ listen: ["udp://10.0.0.5:7400"] });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  expect(plan.binaries.map(({ configuration: { listen, peers } }) => listen ?? peers)).toEqual([
    { prices: "udp://10.0.0.5:7400" },
    ["udp://10.0.0.5:7400"],
  ]);
  expect(plan.binaries.map(({ isSecured }) => isSecured)).toEqual([true, true]);
  expect(transportTo(topology.binaries[1]!)).toBe("udp+keys");
});

test.each([
  ["tcp://127.0.0.1:7400", "file:run/peers.json", "tcp+file:run/peers.json", false],
  ["tcp://0.0.0.0:7400", "file:run/peers.json", "tls+file:run/peers.json", true],
  ["tcp://localhost:0", "nats://127.0.0.1:4222", "tcp+nats://127.0.0.1:4222", false],
  ["tls://127.0.0.1:0", "nats://nats:4222", "tls+nats://nats:4222", true],
  ["udp://127.0.0.1:7400", "file:run/peers.json", "udp+file:run/peers.json", false],
  ["udp://0.0.0.0:7400", "file:run/peers.json", "udp+keys+file:run/peers.json", true],
  ["udp://localhost:0", "nats://127.0.0.1:4222", "udp+nats://127.0.0.1:4222", false],
  ["udp://[::]:0", "nats://nats:4222", "udp+keys+nats://nats:4222", true],
])(
  "a binary that listens at %s and is found by %s is looked for there",
  (listen, discovery, address, isSecured) => {
    const topology = shop({ listen: [listen], discovery });
    const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
    expect(plan.binaries.map((binary) => binary.configuration.peers)).toEqual([
      { prices: address },
      undefined,
    ]);
    expect(plan.binaries.map((binary) => binary.isSecured)).toEqual([isSecured, isSecured]);
    const announced = discovery.startsWith("nats:") ? discovery : undefined;
    expect(plan.binaries.map((binary) => binary.configuration.announce)).toEqual([undefined, announced]);
  },
);

test("a binary knows where those are that it does not call, and needs no keys for them", () => {
  const topology = shop({ listen: ["tls://0.0.0.0:7400"], discovery: "nats://nats:4222" });
  topology.binaries.push({ ...topology.binaries[0]!, name: "idle", bundles: [], listen: [] });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const idle = plan.binaries.at(-1)!;
  expect(idle.configuration).toMatchObject({ others: { prices: "tls+nats://nats:4222" } });
  expect(idle.configuration).not.toHaveProperty("peers");
  expect(idle.isSecured).toBe(false);
  expect(plan.binaries[0]!.configuration).not.toHaveProperty("others");
});

test("a stage that others run is offered there as one", () => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: [
      { name: "Price", request: "Order", response: "Order" },
      { name: "Pack", request: "Order" },
      { name: "Note", request: "Order" },
      { name: "Rescue", request: "Failure", response: "Order" },
    ],
    flows: [
      {
        name: "Orders",
        event: "Order",
        source: { kind: "rate", perSecond: 1 },
        stages: [
          { id: "price", service: "Price", join: { pool: "quick" } },
          { id: "pack", service: "Pack", role: "side-effect", join: { pool: "slow" } },
          { id: "note", service: "Note", role: "side-effect", join: { threads: 2 } },
          { id: "again", service: "Note", role: "side-effect" },
          { id: "rescue", service: "Rescue", role: "catch" },
        ],
      },
    ],
    bundles: [
      { name: "Front", services: ["Pack"], flows: ["Orders"] },
      { name: "Prices", services: ["Price", "Note", "Rescue"] },
    ],
    binaries: [
      { name: "front", bundles: ["Front"] },
      { name: "prices", bundles: ["Prices"] },
    ],
  });
  const { binaries } = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const [front, prices] = binaries;
  const outlets = [
    ["Price", [["Orders.price", "map", "quick"]]],
    [
      "Note",
      [
        ["Orders.note", "side-effect", { threads: 2, queue: 1024, overflow: "block" }],
        ["Orders.again", "side-effect", undefined],
      ],
    ],
    ["Rescue", [["Orders.rescue", "catch", undefined]]],
  ];
  const named = (all: readonly Pick<OfferPlan, "service" | "stages">[]) =>
    all.map(({ service, stages }) => [
      service.name,
      stages.map(({ name, role, join }) => [name, role, join]),
    ]);
  expect(front?.remotes.map((remote) => remote.wireName)).toEqual([
    "Prices/Price",
    "Prices/Note",
    "Prices/Rescue",
  ]);
  expect(named(front?.remotes ?? [])).toEqual(outlets);
  expect(named(prices?.offers ?? [])).toEqual([...outlets].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
  // Nothing is called, and the first stage begins on the flow's side; a join is that side's where the stage is.
  expect(front?.calls).toEqual([]);
  expect(front?.configuration.flows["Orders"]?.joins).toEqual({ price: "default", pack: "slow" });
  expect(front?.configuration).not.toHaveProperty("joins");
  expect(prices?.configuration.joins).toEqual({
    "Orders.price": "quick",
    "Orders.note": { threads: 2, queue: 1024, overflow: "block" },
  });
  expect(Object.keys(front?.configuration.services ?? {})).toEqual(["Pack"]);
});
