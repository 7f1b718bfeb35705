import { describe, expect, it } from "vitest";
import { parseTopology, type Topology } from "../index.js";
import { blockingCycles } from "./callCycles.js";
import { canConnectCall, canConnectFlow, canFollow, possibleCallees } from "./canConnect.js";
import { flowValues, predecessorsOf, stageOutputType } from "./flowValues.js";
import { callersOf, indexTopology } from "./indexTopology.js";
import { Random, seedOf } from "../testing/random.js";
import { binariesOfStage, stagesRunOn, whereRuns } from "./whereRuns.js";

function topology(parts: object): Topology {
  const { topology: read, problems } = parseTopology(JSON.stringify({ penstock: 1, name: "t", ...parts }));
  if (read === undefined) throw new Error(JSON.stringify(problems));
  return read;
}

const services = (calls: Record<string, string[]>, kinds: Record<string, string> = {}) =>
  Object.entries(calls).map(([name, callees]) => ({
    name,
    request: "M",
    kind: kinds[name] ?? "simple",
    calls: callees,
  }));

describe("calls", () => {
  it("are found from who is called", () => {
    const drawn = topology({ services: services({ A: ["B", "C"], B: ["C"], C: [] }) });
    expect(callersOf(drawn, "C")).toEqual(["A", "B"]);
    expect(indexTopology(drawn).callers.get("C")).toEqual(["A", "B"]);
    expect(indexTopology(drawn).services.get("B")?.at).toBe(1);
  });

  it("row 63: that come back to a blocking service are found with the shortest way round", () => {
    const calls = { A: ["B", "D"], B: ["C"], C: ["A"], D: ["C"], E: ["E"], F: ["A"] };
    const kinds = { C: "sync-remote", E: "single-threaded", F: "sync-remote" };
    expect(blockingCycles(topology({ services: services(calls, kinds) }))).toEqual([
      { service: "C", path: ["C", "A", "B", "C"], at: 2, call: 0 },
      { service: "E", path: ["E", "E"], at: 4, call: 0 },
    ]);
  });

  it("may form a cycle of services that block nothing", () => {
    expect(
      blockingCycles(topology({ services: services({ A: ["B"], B: ["A"] }, { A: "async-remote" }) })),
    ).toEqual([]);
  });

  it("in a chain of 9,000 services do not exhaust the stack", () => {
    const names = Array.from({ length: 9000 }, (_, at) => `S${at}`);
    const ring = Object.fromEntries(names.map((name, at) => [name, [names[(at + 1) % names.length] ?? ""]]));
    const found = blockingCycles(topology({ services: services(ring, { S5: "single-threaded" }) }));
    expect(found).toHaveLength(1);
    expect(found[0]?.path).toHaveLength(9001);
  });

  it("may be drawn unless they are there already, lead nowhere or close a blocking cycle", () => {
    const drawn = topology({ services: services({ A: ["B"], B: ["C"], C: [] }, { A: "sync-remote" }) });
    expect(canConnectCall(drawn, "A", "C")).toBeUndefined();
    expect(canConnectCall(drawn, "C", "B")).toBeUndefined();
    expect(canConnectCall(drawn, "A", "B")?.code).toBe("PS304");
    expect(canConnectCall(drawn, "A", "Z")?.code).toBe("PS303");
    expect(canConnectCall(drawn, "C", "A")).toMatchObject({ code: "PS305", node: "service:C" });
    expect(canConnectCall(drawn, "C", "A")?.message).toContain("A → B → C → A");
  });

  it("that may be drawn are those that are refused by none of the rules, of any drawing", () => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const random = new Random(seed);
    for (let round = 0; round < 200; round++) {
      const names = Array.from({ length: 1 + random.below(9) }, (_, at) => `S${at}`);
      const some = () => names.filter(() => random.chance(0.25));
      const kinds = Object.fromEntries(
        names.flatMap((name) =>
          random.chance(0.4) ? [[name, random.chance(0.5) ? "sync-remote" : "single-threaded"]] : [],
        ),
      );
      const drawn = topology({
        services: services(Object.fromEntries(names.map((name) => [name, some()])), kinds),
      });
      for (const name of names)
        expect(possibleCallees(drawn, name), `PENSTOCK_SEED=${seed}`).toEqual(
          names.filter((other) => canConnectCall(drawn, name, other) === undefined),
        );
    }
    expect(possibleCallees(topology({ services: [] }), "None")).toEqual([]);
  });

  it("that may be drawn are found in one pass where none leads back", () => {
    const reads = (count: number): number => {
      const names = Array.from({ length: count }, (_, at) => `S${at}`);
      const drawn = topology({ services: services(Object.fromEntries(names.map((name) => [name, []]))) });
      let seen = 0;
      const counted = drawn.services.map((service) =>
        Object.defineProperty({ ...service }, "calls", {
          get: () => (seen++, service.calls),
          enumerable: true,
        }),
      );
      expect(possibleCallees({ ...drawn, services: counted }, "S0")).toHaveLength(count);
      return seen;
    };
    expect(reads(400)).toBeLessThan(12 * reads(40));
  });
});

const flowDocument = {
  services: [
    { name: "Make", request: "In", response: "Out" },
    { name: "See", request: "Out" },
    { name: "Mend", request: "Failure", response: "Out" },
    { name: "End", request: "Out" },
  ],
  flows: [
    {
      name: "F",
      event: "In",
      source: { kind: "rate", perSecond: 1 },
      stages: [
        { id: "make", service: "Make" },
        { id: "see", service: "See", role: "side-effect" },
        { id: "mend", service: "Mend", role: "catch" },
        { id: "end", service: "End" },
        { id: "also", service: "See", role: "side-effect", after: ["make", "mend"] },
      ],
    },
  ],
};

describe("the values of a flow", () => {
  const drawn = topology(flowDocument);

  it("pass side-effects and catches, and end behind a map without response", () => {
    expect(predecessorsOf(drawn.flows[0]!)).toEqual([[], [0], [1], [2], [0, 2]]);
    const values = flowValues(drawn.flows[0]!, indexTopology(drawn));
    expect(values.map(({ input }) => input)).toEqual(["In", "Out", "Failure", "Out", "Out"]);
    expect(["", "make", "see", "mend", "end"].map((id) => stageOutputType(drawn, "F", id))).toEqual([
      "In",
      "Out",
      "Out",
      "Out",
      undefined,
    ]);
    expect(values.map(({ ended }) => ended)).toEqual([false, false, false, true, false]);
  });

  it("say what may be drawn behind what", () => {
    expect(canConnectFlow(drawn, "F", "make", "end")).toBeUndefined();
    expect(canConnectFlow(drawn, "F", "", "make")).toBeUndefined();
    expect(canConnectFlow(drawn, "F", "", "see")).toMatchObject({
      code: "PS404",
      pointer: "/flows/0/stages/1",
      node: "stage:F/see",
    });
    expect(canConnectFlow(drawn, "F", "end", "make")?.code).toBe("PS411");
    expect(canConnectFlow(drawn, "F", "end", "also")?.code).toBe("PS405");
    expect(canFollow(drawn, "F", "", "Mend", "catch")?.code).toBe("PS408");
    expect(canFollow(drawn, "F", "make", "See", "catch")?.code).toBe("PS406");
    expect(canFollow(drawn, "F", "make", "Mend", "catch")).toBeUndefined();
  });
});

describe("where things run", () => {
  const drawn = topology({
    ...flowDocument,
    bundles: [{ name: "B", services: ["Make", "See"], flows: ["F"] }],
    binaries: [
      {
        name: "b",
        bundles: ["B"],
        pools: [{ name: "two", threads: [{}, {}] }],
        placement: { Make: { pool: "two", thread: 1 } },
      },
    ],
  });

  it("follows placements, or the built-in pool", () => {
    expect(whereRuns(drawn, "b", "Make")).toEqual({ pool: "two", thread: 1, threads: 1 });
    expect(whereRuns(drawn, "b", "See")).toEqual({ pool: "default", threads: undefined });
    expect(whereRuns(drawn, "b", "End")).toBeUndefined();
  });

  it("follows joins, and fuses the stages behind them", () => {
    const runs = stagesRunOn(drawn.binaries[0]!, drawn.flows[0]!, (name) => name === "See");
    expect(runs.map(({ queued }) => queued)).toEqual([true, false, false, false, false]);
    expect(runs.map(({ elsewhere }) => elsewhere)).toEqual([false, true, false, false, true]);
    expect(runs[3]?.places).toEqual([{ pool: { name: "two", thread: 1 }, threads: 1 }]);
  });

  it("has the join of a stage that another binary runs for over there, which is the first that serves it", () => {
    const [flow] = drawn.flows;
    const stages = flow!.stages.map((stage, at) => (at === 1 ? { ...stage, join: { pool: "far" } } : stage));
    const runs = stagesRunOn(drawn.binaries[0]!, { ...flow!, stages }, (name) => name === "See");
    expect(runs[1]).toEqual({ places: runs[0]?.places, queued: false, elsewhere: true });

    const apart = {
      binariesOfFlow: new Map([["F", ["a", "b"]]]),
      binariesOfService: new Map([
        ["See", ["c", "b", "d"]],
        ["Make", ["d"]],
      ]),
    };
    expect(["See", "Make", "End"].map((service) => binariesOfStage(apart, "F", service))).toEqual([
      ["c", "b"],
      ["d"],
      ["a", "b"],
    ]);
  });
});
