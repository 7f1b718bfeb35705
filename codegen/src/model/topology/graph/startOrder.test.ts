import { describe, expect, it } from "vitest";
import { parseTopology, type Topology } from "../index.js";
import { startOrder } from "./startOrder.js";

/** A binary `a` with the service `A` for each name, and what that calls. */
function drawn(calls: Record<string, string[]>, parts: object = {}): Topology {
  const names = Object.keys(calls);
  const { topology, problems } = parseTopology(
    JSON.stringify({
      penstock: 1,
      name: "t",
      services: names.map((name) => ({ name, request: "M", calls: calls[name] })),
      bundles: names.map((name) => ({ name: `Of${name}`, services: [name] })),
      binaries: names.map((name) => ({ name: name.toLowerCase(), bundles: [`Of${name}`] })),
      ...parts,
    }),
  );
  if (topology === undefined) throw new Error(JSON.stringify(problems));
  return topology;
}
const all = (topology: Topology): string[][] =>
  startOrder(
    topology,
    topology.binaries.map(({ name }) => name),
  );

describe("binaries start", () => {
  it("after those that they call", () => {
    expect(all(drawn({ A: ["B", "C"], B: ["C"], C: [] }))).toEqual([["c"], ["b"], ["a"]]);
    expect(all(drawn({ A: ["C"], B: ["C"], C: [], D: [] }))).toEqual([
      ["c", "d"],
      ["a", "b"],
    ]);
  });

  it("together where they call each other", () => {
    expect(all(drawn({ A: ["B"], B: ["C"], C: ["B", "D"], D: [] }))).toEqual([["d"], ["b", "c"], ["a"]]);
  });

  it("after those that run stages of their flows", () => {
    const topology = drawn(
      { A: [], B: [] },
      {
        flows: [
          {
            name: "F",
            event: "M",
            source: { kind: "rate", perSecond: 1 },
            stages: [{ id: "b", service: "B" }],
          },
        ],
        bundles: [
          { name: "OfA", services: ["A"], flows: ["F"] },
          { name: "OfB", services: ["B"] },
        ],
      },
    );
    expect(all(topology)).toEqual([["b"], ["a"]]);
  });

  it("at once where they serve what they ask themselves", () => {
    const topology = drawn(
      { A: ["B"], B: [] },
      {
        binaries: [
          { name: "a", bundles: ["OfA", "OfB"] },
          { name: "b", bundles: ["OfB"] },
        ],
      },
    );
    expect(all(topology)).toEqual([["a", "b"]]);
  });

  it("in the order of those that are asked for, who is not drawn with the first", () => {
    const topology = drawn({ A: ["B"], B: [], C: [] });
    expect(startOrder(topology, ["a", "x", "c"])).toEqual([["x", "c"], ["a"]]);
    expect(startOrder(topology, ["a"])).toEqual([["a"]]);
  });
});
