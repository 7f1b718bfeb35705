import { topologySchema, type Join } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { fusedGroups } from "../fusedGroups.js";
import { toCanvasEdges } from "../toCanvasEdges.js";
import { draftOf, joinOf } from "../edits/joinDraft.js";
import { stageLooks } from "./virtualStages.js";

const flowWith = (...joins: (Join | undefined)[]) =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "A" }],
    services: joins.map((_, at) => ({ name: `S${at}`, request: "A", response: "A" })),
    flows: [
      {
        name: "F",
        event: "A",
        source: { kind: "rate", perSecond: 1 },
        stages: joins.map((join, at) => ({ id: `s${at}`, service: `S${at}`, ...(join ? { join } : {}) })),
      },
    ],
    bundles: [{ name: "B", services: joins.map((_, at) => `S${at}`), flows: ["F"] }],
    binaries: [{ name: "b", bundles: ["B"], pools: ["p", "q"].map((name) => ({ name, threads: [{}] })) }],
  });
const own: Join = { threads: 2, queue: 8, overflow: "block" };
const looks = (...joins: (Join | undefined)[]) => {
  const topology = flowWith(...joins);
  return stageLooks(topology, topology.flows[0]!).map(
    ({ color, fused }) => `${color ?? "grey"}${fused ? "+" : ""}`,
  );
};

describe("a virtual stage", () => {
  it("reaches from one join up to the next, in the colour of its threads", () => {
    expect(looks({ pool: "q" }, undefined, { pool: "p" }, undefined)).toEqual([
      "var(--pool-2)",
      "var(--pool-2)+",
      "var(--pool-1)",
      "var(--pool-1)+",
    ]);
  });

  it("on threads of its own has a colour that no drawn pool has", () => {
    expect(looks({ pool: "q" }, own, own)).toEqual(["var(--pool-2)", "var(--pool-3)", "var(--pool-4)"]);
  });

  it("on the built-in pool has none", () => {
    expect(looks(undefined, undefined)).toEqual(["grey", "grey+"]);
  });

  it("ends before a stage that another binary runs", () => {
    const topology = flowWith({ pool: "q" }, undefined, undefined);
    const apart = {
      ...topology,
      bundles: [
        { ...topology.bundles[0]!, services: ["S0", "S2"] },
        { name: "There", services: ["S1"], flows: [] },
      ],
      binaries: [...topology.binaries, { ...topology.binaries[0]!, name: "other", bundles: ["There"] }],
    };
    expect(stageLooks(apart, apart.flows[0]!)).toEqual([
      { color: "var(--pool-2)", threads: "q", fused: false },
      { color: undefined, threads: "", fused: false },
      { color: "var(--pool-2)", threads: "q", fused: true },
    ]);
    expect(fusedGroups(toCanvasEdges(apart, []))).toEqual([]);
  });

  it("has one bracket on the canvas, with the name of its threads, from its first stage to its last", () => {
    const edges = toCanvasEdges(flowWith({ pool: "q" }, undefined, own, undefined), []);
    const brackets = fusedGroups(edges).map(({ threads, color, members }) => [
      threads,
      color,
      members.length,
    ]);
    expect(brackets).toEqual([
      ["q", "var(--pool-2)", 2],
      ["F.s2", "var(--pool-3)", 2],
    ]);
  });

  it("has its colour on the lines within it, the line into it has not", () => {
    const edges = toCanvasEdges(flowWith({ pool: "q" }, undefined, own), []);
    expect(edges.map(({ data }) => data && "fused" in data && data.fused)).toEqual([
      undefined,
      "var(--pool-2)",
      undefined,
    ]);
  });
});

describe("the form of a join", () => {
  it.each<Join>([
    { pool: "q" },
    { threads: 1, queue: 8, overflow: "reject" },
    { threads: 7, queue: 1024, overflow: "block" },
    { threads: "cached", queue: 1, overflow: "shed-oldest" },
  ])("asks for what it was opened with: %o", (join) => {
    expect(joinOf(draftOf(join, "p"))).toEqual(join);
  });

  it("of an empty slot asks for nothing, and has a pool and some threads at hand", () => {
    const draft = draftOf(undefined, "p");
    expect(joinOf(draft)).toBeNull();
    expect(joinOf({ ...draft, kind: "pool" })).toEqual({ pool: "p" });
    expect(joinOf({ ...draft, kind: "own" })).toEqual({ threads: 4, queue: 1024, overflow: "block" });
  });
});
