import { checkDocument } from "@penstock/codegen/validate";
import { topologySchema, type Topology } from "@penstock/codegen/topology";
import { expect, it } from "vitest";
import { moveBundle } from "./moveBundle.js";

const drawn = (): Topology =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "M" }],
    services: [
      { name: "Take", request: "M", response: "M", kind: "async-remote", calls: ["Price"] },
      { name: "Price", request: "M", response: "M" },
      { name: "Log", request: "M", kind: "single-threaded" },
      { name: "Count", request: "M" },
    ],
    flows: [
      {
        name: "Orders",
        event: "M",
        source: { kind: "rate", perSecond: 1 },
        stages: [
          { id: "take", service: "Take", join: { pool: "front" } },
          { id: "log", service: "Log", role: "side-effect", join: { pool: "disk" } },
          { id: "count", service: "Count", role: "side-effect", join: { pool: "front" } },
        ],
      },
    ],
    bundles: [
      { name: "Front", services: ["Take", "Count"], flows: ["Orders"] },
      { name: "Back", services: ["Price", "Log"] },
    ],
    binaries: [
      {
        name: "shop",
        bundles: ["Front", "Back"],
        pools: ["front", "prices", "disk", "spare"].map((name) => ({ name, threads: [{}, {}] })),
        placement: { Take: { pool: "front" }, Price: { pool: "prices", thread: 1 } },
      },
      { name: "back", bundles: [] },
    ],
  });
const move = (topology: Topology, bundle: string, target: string): Topology =>
  moveBundle({ topology, layout: { penstock: 1, nodes: {}, bundles: {} } } as never, bundle, target).topology;
const words = ({ binaries }: Topology) =>
  binaries.map(({ name, bundles, pools, placement }) => ({
    name,
    bundles,
    pools: pools.map((pool) => pool.name),
    placement,
  }));
const errors = (topology: Topology) =>
  checkDocument(JSON.stringify(topology)).problems.filter(({ severity }) => severity === "error");

it("takes placements and pools along, those of joins of its stages too", () => {
  const topology = move(drawn(), "Back", "back");
  expect(errors(topology)).toEqual([]);
  expect(words(topology)).toEqual([
    { name: "shop", bundles: ["Front"], pools: ["front", "spare"], placement: { Take: { pool: "front" } } },
    {
      name: "back",
      bundles: ["Back"],
      pools: ["prices", "disk"],
      placement: { Price: { pool: "prices", thread: 1 } },
    },
  ]);
  expect(topology.flows).toEqual(drawn().flows);
});

it("takes the pools of the joins of its flows along", () => {
  const topology = move(drawn(), "Front", "back");
  // A stage of the flow stays in the other one.
  expect(errors(topology)).toEqual([]);
  expect(words(topology)).toEqual([
    {
      name: "shop",
      bundles: ["Back"],
      pools: ["prices", "disk", "spare"],
      placement: { Price: { pool: "prices", thread: 1 } },
    },
    { name: "back", bundles: ["Front"], pools: ["front"], placement: { Take: { pool: "front" } } },
  ]);
});

it("leaves what is drawn over there as it is, and what others have", () => {
  const topology = drawn();
  topology.bundles.push({ name: "More", services: ["Price"], flows: [] });
  topology.binaries[0]!.bundles.push("More");
  topology.binaries[1]!.pools = [{ ...topology.binaries[0]!.pools[2]!, threads: [{}] }];
  const moved = move(topology, "Back", "back");
  expect(words(moved)[0]).toMatchObject({
    bundles: ["Front", "More"],
    pools: ["front", "prices", "disk", "spare"],
    placement: { Price: { pool: "prices", thread: 1 } },
  });
  expect(moved.binaries[1]?.pools.map(({ name, threads }) => [name, threads])).toEqual([["disk", [{}]]]);
});

it("leaves binaries alone that had nothing of it, and pools that a preset names", () => {
  const topology = drawn();
  topology.binaries.push({ ...topology.binaries[1]!, name: "third", pools: topology.binaries[0]!.pools });
  topology.binaries[1]!.pools = [{ ...topology.binaries[0]!.pools[1]!, threads: [{}] }];
  const joins = [{ flow: "Orders", stage: "count", join: { pool: "disk" } }];
  topology.binaries[0]!.presets = [{ name: "night", pools: [], joins }];
  const [shop, back, third] = words(move(topology, "Back", "back"));
  expect(shop?.pools).toEqual(["front", "prices", "disk", "spare"]);
  // Its pool of that name has one thread only.
  expect(back?.placement).toEqual({ Price: { pool: "prices" } });
  expect(third).toMatchObject({ bundles: [], placement: {} });
});

it("is nothing where it is alone already", () => {
  const topology = move(drawn(), "Back", "back");
  expect(move(topology, "Back", "back")).toEqual(topology);
});

/** A rule of `of` in the first binary, between presets that size both of its pools. */
function ruled(of: string): Topology {
  const topology = drawn();
  const sized = (...names: string[]) => names.map((name) => ({ name, threads: [{}, {}, {}] }));
  const slot = { flow: "Orders", stage: "count", join: { pool: "front" } };
  topology.binaries[0]!.presets = [
    { name: "calm", pools: sized("prices"), joins: [] },
    { name: "busy", pools: sized("prices", "front"), joins: [slot] },
  ];
  const [below, above] = [
    { perSecond: 10, preset: "calm" },
    { perSecond: 20, preset: "busy" },
  ];
  topology.binaries[0]!.rules = [{ of, below, above, forSeconds: 5 }];
  expect(errors(topology)).toEqual([]);
  return topology;
}
const rules = ({ binaries }: Topology) =>
  binaries.map(({ rules: all = [], presets = [] }) => [
    all.map(({ of, below, above }) => [of, below.preset, above.preset]),
    presets.map(({ name, pools, joins }) => [name, pools.map((pool) => pool.name), joins.length]),
  ]);

it("takes rules between presets along that watch what moves, with what is theirs of the presets", () => {
  const topology = move(ruled("Price"), "Back", "back");
  expect(errors(topology)).toEqual([]);
  expect(rules(topology)).toEqual([
    // Nobody is left who names the one that came along whole.
    [[], [["busy", ["prices", "front"], 1]]],
    [
      [["Price", "calm", "busy"]],
      [
        ["calm", ["prices"], 0],
        ["busy", ["prices"], 0],
      ],
    ],
  ]);
});

it("takes rules along that watch a flow, with the joins of its stages", () => {
  const topology = move(ruled("Orders"), "Front", "back");
  expect(errors(topology)).toEqual([]);
  expect(rules(topology)[1]).toEqual([
    [["Orders", "calm", "busy"]],
    [
      ["calm", [], 0],
      ["busy", ["front"], 1],
    ],
  ]);
});

it("leaves rules alone that watch what stays", () => {
  const topology = move(ruled("Orders"), "Back", "back");
  expect(rules(topology)).toEqual(rules(ruled("Orders")));
});

it("gives a preset another name where that is another one's, and none to a rule that would change nothing", () => {
  const named = ruled("Price");
  named.binaries[1]!.presets = [{ name: "calm", pools: [], joins: [] }];
  expect(rules(move(named, "Back", "back"))[1]?.[0]).toEqual([["Price", "calm2", "busy"]]);
  const bare = ruled("Price");
  bare.binaries[0]!.placement["Price"] = { pool: "front" };
  bare.binaries[0]!.presets![1]!.pools.pop();
  const moved = move(bare, "Back", "back");
  expect(errors(moved)).toEqual([]);
  expect(rules(moved)[1]).toEqual([[], []]);
});
