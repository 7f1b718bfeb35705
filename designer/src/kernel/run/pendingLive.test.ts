import type { LiveSchema } from "@penstock/codegen/contract";
import { plainPool, topologySchema } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { pendingLive, structureOf } from "./pendingLive.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "ads",
  messages: [{ name: "A", fields: [] }],
  services: [
    { name: "S", request: "A", response: "A" },
    { name: "T", request: "A" },
  ],
  flows: [
    {
      name: "F",
      event: "A",
      source: { kind: "rate", perSecond: 200 },
      stages: [
        { id: "s", service: "S" },
        { id: "t", service: "T", join: { pool: "p" } },
      ],
    },
  ],
  bundles: [{ name: "B", services: ["S", "T"], flows: ["F"] }],
  binaries: [{ name: "b", bundles: ["B"], pools: [{ name: "p", threads: [{ cpus: [0] }, {}] }] }],
});
const schema = (asked: number[][], perSecond: number | null = 200, joined: number | null = 1): LiveSchema =>
  ({
    services: [
      { id: 0, name: "S", pool: 0 },
      { id: 1, name: "T", pool: 0 },
    ],
    flows: [
      {
        id: 0,
        name: "F",
        source: { kind: "rate", perSecond },
        stages: [
          { id: "s", service: 0, pool: 0 },
          { id: "t", service: 1, pool: joined },
        ],
      },
    ],
    pools: [
      { id: 0, name: "default", threads: [{ asked: [], actual: [0, 1] }] },
      { id: 1, name: "p", threads: asked.map((cpus) => ({ asked: cpus, actual: [0, 1] })) },
    ],
  }) as unknown as LiveSchema;
const labels = (running: LiveSchema | undefined) =>
  pendingLive(topology, () => running).map(({ label }) => label);

describe("pendingLive", () => {
  it("is empty when what runs is what is drawn", () => {
    expect(labels(schema([[0], []]))).toEqual([]);
  });

  it("names bounds that are not in force, and lets the number of threads within them be", () => {
    const [binary] = topology.binaries;
    const bounded = {
      ...topology,
      binaries: [{ ...binary!, pools: [{ ...binary!.pools[0]!, threads: { from: 2, to: 8 } }] }],
    };
    const running = (adaptive?: object): LiveSchema => {
      const said = schema([[], [], [], []]);
      return { ...said, pools: said.pools.map((pool) => (pool.id === 1 ? { ...pool, ...adaptive } : pool)) };
    };
    const change = (said: LiveSchema) => pendingLive(bounded, () => said).map((one) => one.change);
    const asDrawn = { from: 2, to: 8, on: true, by: "controller", steps: 2, waitedMs: 9 };
    const wanted = [{ of: "bounds", pool: "p", adapt: { from: 2, to: 8 } }];
    expect(change(running({ adaptive: asDrawn }))).toEqual([]);
    expect(change(running())).toEqual(wanted);
    expect(change(running({ adaptive: { ...asDrawn, to: 9 } }))).toEqual(wanted);
    expect(change(running({ adaptive: { ...asDrawn, on: false } }))).toEqual(wanted);
    const still = pendingLive(topology, () => running({ adaptive: asDrawn }));
    expect(still.map(({ label }) => label)).toEqual(["p: 4 → 2 threads", "p: threads stay"]);
  });

  it("lets what a rule has chosen be, and takes the rule and its presets for what needs a build", () => {
    const [binary] = topology.binaries;
    const side = (perSecond: number, preset: string) => ({ perSecond, preset });
    const rule = { of: "F", below: side(1, "calm"), above: side(5, "busy"), forSeconds: 5 };
    const ruled = {
      ...topology,
      binaries: [
        {
          ...binary!,
          presets: [
            { name: "calm", pools: [{ name: "p", threads: [{ cpus: [0] }, {}] }], joins: [] },
            { name: "busy", pools: [], joins: [{ flow: "F", stage: "t" }] },
            { name: "night", pools: [], joins: [] },
          ],
          rules: [rule],
        },
      ],
    };
    const running = (by: string): LiveSchema =>
      ({ ...schema([[], [], []], 200, null), rules: [{ ...rule, by }] }) as LiveSchema;
    const pending = (by: string) => pendingLive(ruled, () => running(by)).map(({ label }) => label);
    expect(pending("rule")).toEqual([]);
    expect(pending("person")).toEqual(["p: 3 → 2 threads", "F/t: no join → pool p"]);
    const changed = (to: Partial<(typeof ruled.binaries)[number]>) =>
      structureOf({ ...ruled, binaries: [{ ...ruled.binaries[0]!, ...to }] });
    const [calm, busy] = ruled.binaries[0]!.presets;
    expect(changed({ presets: [calm!, busy!] })).toBe(structureOf(ruled));
    expect(changed({ presets: [busy!] })).not.toBe(structureOf(ruled));
    expect(changed({ rules: [{ ...rule, forSeconds: 6 }] })).not.toBe(structureOf(ruled));
  });

  it("names threads, pins and rates that are not in force", () => {
    expect(labels(schema([[1]], 50))).toEqual(["p: 1 → 2 threads", "F: 50/s → 200/s"]);
    expect(labels(schema([[1], []]))).toEqual(["p: 0 on CPU 1 → 0 on CPU 0"]);
    expect(labels(schema([[0], [1]]))).toEqual(["p: 0 on CPU 0; 1 on CPU 1 → 0 on CPU 0"]);
  });

  it("names joins that are not in force", () => {
    expect(labels(schema([[0], []], 200, null))).toEqual(["F/t: no join → pool p"]);
  });

  it("asks nothing of what does not run", () => {
    expect(labels(undefined)).toEqual([]);
  });
});

describe("the rate of a file source", () => {
  const reading = (perSecond?: number, more: object = {}) => {
    const drawn = structuredClone(topology);
    const source = { kind: "file" as const, path: "a.jsonl", ...more };
    drawn.flows[0]!.source = perSecond === undefined ? source : { ...source, perSecond };
    return drawn;
  };
  let processes = 1;
  const rates = (drawn: typeof topology, perSecond: number | null, kind = "file") => {
    const running = schema([[0], []], perSecond);
    running.flows[0]!.source.kind = kind as "file";
    return pendingLive(
      drawn,
      () => running,
      () => processes,
    ).map(({ label, change }) => [label, change]);
  };
  const rate = (perSecond: number) => ({ of: "rate", flow: "F", perSecond });

  it("is told like that of any other, none as the greatest one", () => {
    expect(rates(reading(9), 9)).toEqual([]);
    expect(rates(reading(9), 50)).toEqual([["F: 50/s → 9/s", rate(9)]]);
    expect(rates(reading(0), null)).toEqual([["F: no limit → 0/s", rate(0)]]);
    expect(rates(reading(), 50)).toEqual([["F: 50/s → no limit", rate(1e9)]]);
    processes = 3;
    expect(rates(reading(9), 27)).toEqual([]);
    expect(rates(reading(9), 9)).toEqual([["F: 9/s → 27/s", rate(27)]]);
    expect(rates(reading(), null)).toEqual([]);
    processes = 1;
    expect(rates(reading(), null)).toEqual([]);
    expect(rates(reading(), 1e9)).toEqual([]);
  });

  it("waits for the build while another kind of source runs", () => {
    expect(rates(reading(9), 50, "rate")).toEqual([]);
    expect(rates(reading(9), null, "http")).toEqual([]);
    expect(rates(topology, 50, "file")).toEqual([]);
  });

  it("needs no build, unlike the rest of the source", () => {
    const structure = structureOf(reading());
    expect(structureOf(reading(9))).toBe(structure);
    expect(structureOf(reading(9, { loop: true }))).not.toBe(structure);
    expect(structureOf(reading(9, { path: "b.jsonl" }))).not.toBe(structure);
    expect(structureOf(topology)).not.toBe(structure);
  });
});

describe("structureOf", () => {
  it("ignores what can be changed live, and nothing else", () => {
    const live = structuredClone(topology);
    live.binaries[0]!.pools[0]!.threads = [{}, {}, {}];
    live.binaries[0]!.presets = [{ name: "night", pools: [], joins: [] }];
    live.flows[0]!.stages[1]!.join = { threads: 2, queue: 8, overflow: "reject" };
    live.flows[0]!.source["perSecond"] = 1;
    expect(structureOf(live)).toBe(structureOf(topology));
    live.binaries[0]!.pools.push(plainPool("default", [{}, {}]));
    expect(structureOf(live)).toBe(structureOf(topology));
    live.binaries[0]!.pools[1]!.queue = 7;
    expect(structureOf(live)).not.toBe(structureOf(topology));
    const other = structuredClone(topology);
    other.binaries[0]!.pools[0]!.queue = 7;
    expect(structureOf(other)).not.toBe(structureOf(topology));
  });
});
