import { describe, expect, it } from "vitest";
import { topologySchema, type Join, type Topology } from "@penstock/codegen/topology";
import { adsTopology } from "../../testing/ads.js";
import { joinedTopology } from "../../testing/joined.js";
import { lanesOf, threadCards, type ThreadCard } from "./lanes.js";

const topology = adsTopology();
const binary = topology.binaries[0];
if (!binary) throw new Error("no binary");
const named = (card: ThreadCard) =>
  `${card.pool}·${card.index} ${card.runs.map(({ service }) => service).join(" ")}`.trim();
const shape = (cpus: number[]) =>
  lanesOf(topology, binary, cpus, 2).map((lane) => [lane.cpu, lane.threads.map(named)]);

describe("CPU lanes", () => {
  it("put threads on the CPU they are pinned to, the others on the last lane", () => {
    expect(shape([0, 1])).toEqual([
      [0, ["front·0 GetAd LogAd CountError"]],
      [1, ["models·0 ProduceAd"]],
      [null, ["models·1 ProduceAd", "models·2 ProduceAd"]],
    ]);
  });

  it("show a CPU that is pinned to but not there", () => {
    expect(shape([0]).map(([cpu]) => cpu)).toEqual([0, 1, null]);
  });

  it("put a service that names its thread on that thread alone", () => {
    const placed = adsTopology();
    const other = placed.binaries[0];
    if (!other) throw new Error("no binary");
    other.placement["ProduceAd"] = { pool: "models", thread: 1 };
    const cards = lanesOf(placed, other, [0, 1], 2).flatMap((lane) => lane.threads);
    const on = cards.filter((card) => card.runs.some(({ service }) => service === "ProduceAd"));
    expect(on.map((card) => card.index)).toEqual([1]);
  });
});

describe("the threads of a flow with joins", () => {
  const cardsOf = (drawn: Topology) => threadCards(drawn, drawn.binaries[0]!, 2);
  const withSend = (join: Join | undefined): Topology => {
    const drawn = joinedTopology();
    const send = drawn.flows[0]!.stages.find(({ id }) => id === "send")!;
    if (join) send.join = join;
    else delete send.join;
    return topologySchema.parse(drawn);
  };

  it("run a stage where its join says, or on the thread of the stage before it", () => {
    expect(cardsOf(joinedTopology()).map(named)).toEqual([
      "front·0 Parse Check",
      "database·0 Query",
      "wide·0 Post",
      "wide·1 Post",
      "Orders.send·0 Send Log",
      "Orders.send·1 Send Log",
    ]);
  });

  it("are cards of a join that has its own, in a colour that no pool has", () => {
    const own = cardsOf(joinedTopology()).filter(({ ownOf }) => ownOf);
    expect(own.map(({ ownOf, poolIndex, cached }) => [ownOf, poolIndex, cached])).toEqual([
      [{ flow: "Orders", stage: "send" }, 3, undefined],
      [{ flow: "Orders", stage: "send" }, 3, undefined],
    ]);
  });

  it("are one card where there are as many as there is work for", () => {
    const own = cardsOf(withSend({ threads: "cached", queue: 8, overflow: "block" })).filter(
      ({ ownOf }) => ownOf,
    );
    expect(own.map((card) => [named(card), card.cached])).toEqual([["Orders.send·0 Send Log", true]]);
  });

  it("follow the joins as they change", () => {
    expect(cardsOf(withSend(undefined)).map(named)[1]).toBe("database·0 Query Send Log");
    expect(
      cardsOf(withSend({ pool: "default" }))
        .map(named)
        .slice(4),
    ).toEqual(["default·0 Send Log", "default·1 Send Log"]);
  });
});
