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
