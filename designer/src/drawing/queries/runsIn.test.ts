import { topologySchema } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { joinedTopology } from "../../testing/joined.js";
import { twoBinaries } from "../../testing/twoBinaries.js";
import { runsIn, runWords } from "./runsIn.js";

const topology = joinedTopology();
const words = (drawn = topology, binary = 0) =>
  runsIn(drawn, drawn.binaries[binary]!).map(
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

  it("is a stage of another binary's flow where its join says, or where its service is placed", () => {
    const withJoin = (join: object | undefined) => {
      const drawn = twoBinaries();
      const flows = drawn.flows.map((flow) => ({
        ...flow,
        stages: flow.stages.map((stage) => ({
          ...stage,
          join: stage.id === "log" ? join : undefined,
        })),
      }));
      return topologySchema.parse({ ...drawn, flows });
    };
    const drawn = withJoin({ pool: "models" });
    expect(words(drawn)).toEqual(["Impressions/pick placement front", "Impressions/oops fused front"]);
    expect(words(drawn, 1)).toEqual(["calls to ProduceAd placement models", "Impressions/log join models"]);
    expect(words(withJoin({ threads: 2 }), 1)[1]).toBe("Impressions/log join Impressions.log");
    expect(words(withJoin(undefined), 1)[1]).toBe("calls to LogAd placement default");
    expect(runsIn(drawn, drawn.binaries[1]!).map(runWords)[1]).toBe(
      "Runs as stage log of Impressions on pool models, by its join.",
    );
  });
});
