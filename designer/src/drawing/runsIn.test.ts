import { topologySchema } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { joinedTopology } from "../testing/joined.js";
import { runsIn, runWords } from "./runsIn.js";

const topology = joinedTopology();
const words = (drawn = topology) =>
  runsIn(drawn, drawn.binaries[0]!).map(
    (run) =>
      `${run.stage ? `${run.stage.flow}/${run.stage.stage}` : `calls to ${run.service}`} ${run.by} ` +
      run.spots.map(({ pool, thread }) => (thread === undefined ? pool : `${pool}·${thread}`)).join("|"),
  );

describe("what a binary runs", () => {
  it("is a stage where its join says or where the stage before it runs, and calls where they are placed", () => {
    expect(words()).toEqual([
      "Orders/parse placement front",
      "Orders/check fused front",
      "Orders/query join database",
      "Orders/send join Orders.send",
      "Orders/log fused Orders.send",
      "calls to Post placement wide",
    ]);
  });

  it("leaves the placement out of a service that is a stage only, and keeps it for one that is called too", () => {
    const called = topologySchema.parse({
      ...topology,
      services: topology.services.map((service) =>
        service.name === "Send" ? { ...service, calls: ["Post", "Query"] } : service,
      ),
      binaries: [{ ...topology.binaries[0]!, placement: { Query: { pool: "wide" }, Log: { pool: "wide" } } }],
    });
    expect(words(called).slice(2)).toEqual([
      "calls to Query placement wide",
      "Orders/query join database",
      "Orders/send join Orders.send",
      "Orders/log fused Orders.send",
      "calls to Post placement default",
    ]);
  });

  it("is on the one thread that a placement names, with what is fused behind it", () => {
    const bound = topologySchema.parse({
      ...topology,
      binaries: [{ ...topology.binaries[0]!, placement: { Parse: { pool: "wide", thread: 1 } } }],
    });
    expect(words(bound).slice(0, 2)).toEqual(["Orders/parse placement wide·1", "Orders/check fused wide·1"]);
  });

  it("is said in words for each stage", () => {
    const { binaries } = topology;
    expect(runsIn(topology, binaries[0]!).map(runWords)).toEqual([
      "Runs as stage parse of Orders on pool front, by the placement of its service.",
      "Runs as stage check of Orders on pool front, behind the stage before it.",
      "Runs as stage query of Orders on pool database, by its join.",
      "Runs as stage send of Orders on 2 threads of its own, by its join.",
      "Runs as stage log of Orders on the threads of the join before send, behind the stage before it.",
      "",
    ]);
  });
});
