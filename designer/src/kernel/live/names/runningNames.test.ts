import type { LiveSchema } from "@penstock/codegen/contract";
import type { Topology } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { takenBack } from "../../document/nameChange.js";
import { differenceLine, runningDifference } from "./runningDifference.js";
import { inDrawnNames, inRunningNames } from "./runningNames.js";

const service = (id: number, name: string) => ({
  id,
  name,
  kind: "simple",
  pool: 0,
  implementations: [],
  written: true,
});
const pool = (id: number, name: string) => ({
  id,
  name,
  queue: 1,
  overflow: "block",
  idle: "park",
  priority: 0,
  threads: [],
});
const schema = {
  type: "schema",
  binary: "ads-server",
  pid: 1,
  services: [service(0, "GetAd"), service(1, "LogAd")],
  remotes: [{ id: 2, name: "Price", binary: "prices" }],
  calls: [],
  flows: [
    {
      id: 0,
      name: "Impressions",
      source: { kind: "rate", perSecond: 1 },
      stages: [
        { id: "pick", service: 0, role: "map", pool: 1 },
        { id: "log", service: 1, role: "side-effect", pool: 2 },
      ],
    },
  ],
  pools: [pool(0, "default"), pool(1, "front"), pool(2, "Impressions.log")],
} as unknown as LiveSchema;
const namesOf = ({ services, flows, pools }: LiveSchema) => [
  ...services.map(({ name }) => name),
  ...flows.flatMap(({ name, stages }) => [name, ...stages.map(({ id }) => id)]),
  ...pools.map(({ name }) => name),
];
const CHANGES = [
  { ref: "service:GetAd", to: "PickAd" },
  { ref: "flow:Impressions", to: "Views" },
  { ref: "stage:Views/log", to: "write" },
  { ref: "pool:ads-server/front", to: "edge" },
  { ref: "binary:ads-server", to: "server" },
];

describe("the names of what runs", () => {
  it("follow what was renamed since, joins' own pools as well", () => {
    expect(namesOf(inDrawnNames(schema, CHANGES))).toEqual([
      ...["PickAd", "LogAd", "Views", "pick", "write"],
      ...["default", "edge", "Views.write"],
    ]);
    expect(inDrawnNames(schema, [])).toBe(schema);
    expect(inDrawnNames(schema, [{ ref: "service:Price", to: "Cost" }]).remotes).toEqual([
      { id: 2, name: "Cost", binary: "prices" },
    ]);
  });

  it("are as they were when a rename was undone", () => {
    expect(namesOf(inDrawnNames(schema, [...CHANGES, ...takenBack(CHANGES)]))).toEqual(namesOf(schema));
  });

  it("leave a name to what was given it, when the one that had it is drawn no more", () => {
    const { services } = inDrawnNames(schema, [{ ref: "service:GetAd", to: "LogAd" }]);
    expect(services.map(({ name }) => name)).toEqual(["LogAd", "LogAd (running)"]);
  });

  it("are what a command asks by, whatever they are drawn as", () => {
    const asked = (params: object) => inRunningNames("server", params, CHANGES);
    expect(asked({ pool: "edge", threads: 3 })).toEqual({ pool: "front", threads: 3 });
    expect(asked({ flow: "Views", perSecond: 2 })).toEqual({ flow: "Impressions", perSecond: 2 });
    expect(asked({ flow: "Views", stage: "write", join: { pool: "edge" } })).toEqual({
      flow: "Impressions",
      stage: "log",
      join: { pool: "front" },
    });
    expect(asked({ pool: "Views.write", threads: 1 })).toEqual({ pool: "Impressions.log", threads: 1 });
    expect(asked({ per128: 3 })).toEqual({ per128: 3 });
  });
});

describe("what runs and what is drawn", () => {
  const topology = {
    services: [{ name: "PickAd" }, { name: "NewAd" }],
    flows: [{ name: "Impressions", stages: [{ id: "pick" }, { id: "more" }] }],
    bundles: [{ name: "B", services: ["PickAd", "NewAd"], flows: ["Impressions"] }],
    binaries: [{ name: "ads-server", bundles: ["B"] }],
  } as unknown as Topology;

  it("differ in names, which is said in a line: renamed, not built yet, drawn no more", () => {
    const drawn = inDrawnNames(schema, [{ ref: "service:GetAd", to: "PickAd" }]);
    const difference = runningDifference(topology, () => ({ own: schema, drawn }));
    expect(difference).toEqual({
      renamed: [{ drawn: "PickAd", runs: "GetAd" }],
      missing: ["NewAd", "Impressions/more"],
      elsewhere: [],
      gone: ["LogAd", "Impressions/log"],
    });
    expect(differenceLine(difference)).toBe(
      "Running differs from drawn: PickAd runs as GetAd; no figures of NewAd, Impressions/more, which the running " +
        "binary does not have; LogAd, Impressions/log run but are no longer drawn.",
    );
  });

  it("say where what was moved to another binary still runs", () => {
    const two = {
      ...topology,
      services: [{ name: "GetAd" }, { name: "LogAd" }],
      flows: [],
      bundles: [
        { name: "Front", services: ["GetAd", "LogAd"], flows: [] },
        { name: "Models", services: [], flows: [] },
      ],
      binaries: [
        { name: "front", bundles: ["Front"] },
        { name: "models", bundles: ["Models"] },
      ],
    } as unknown as Topology;
    const of = (name: string) => ({
      ...schema,
      flows: [],
      services: schema.services.filter((one) => one.name === name),
    });
    const difference = runningDifference(two, (binary) => {
      const own = of(binary === "front" ? "GetAd" : "LogAd");
      return { own, drawn: own };
    });
    expect(difference).toMatchObject({
      missing: [],
      elsewhere: [{ name: "LogAd", binary: "models" }],
      gone: [],
    });
    expect(differenceLine(difference)).toBe("Running differs from drawn: LogAd still runs in models.");
  });

  it("name a flow and not each of its stages", () => {
    const other = { ...topology, flows: [{ name: "Clicks", stages: [{ id: "a" }] }] } as unknown as Topology;
    const { bundles } = topology;
    const clicks = { ...other, bundles: [{ ...bundles[0], flows: ["Clicks"] }] } as unknown as Topology;
    const difference = runningDifference(clicks, () => ({ own: schema, drawn: schema }));
    expect(difference.gone).toEqual(["GetAd", "LogAd", "Impressions"]);
    expect(difference.missing).toEqual(["PickAd", "NewAd", "Clicks"]);
  });

  it("say nothing while nothing of it runs, or the names are the same", () => {
    expect(differenceLine(runningDifference(topology, () => undefined))).toBe("");
  });
});
