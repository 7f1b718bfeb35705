import type { LiveSchema } from "@penstock/codegen/contract";
import { emptyLayout, topologySchema, type Join } from "@penstock/codegen/topology";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { documentStore, showDocument, undo } from "../document/index.js";
import { resetLive, takeLost, takeSchema } from "../live/liveStore.js";
import { ApiFailure } from "../server/api.js";
import { closedProject, projectStore } from "../server/projectStore.js";
import { changeJoin } from "./changeJoin.js";

const sent: unknown[] = [];
let refuse: string | undefined;
vi.mock("../connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: unknown) => {
    if (binary === refuse) throw new ApiFailure(409, "refused", "there is no room", "Try again.", [], null);
    sent.push([binary, method, params]);
  },
}));

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "A" }],
  services: [
    { name: "S", request: "A", response: "A" },
    { name: "Slow", request: "A", kind: "sync-remote" },
  ],
  flows: [
    {
      name: "F",
      event: "A",
      source: { kind: "rate", perSecond: 1 },
      stages: [
        { id: "s", service: "S" },
        { id: "slow", service: "Slow", join: { pool: "wide" } },
      ],
    },
  ],
  bundles: [{ name: "B", services: ["S", "Slow"], flows: ["F"] }],
  binaries: ["one", "two"].map((name) => ({
    name,
    bundles: ["B"],
    pools: [
      { name: "wide", threads: [{}, {}] },
      { name: "narrow", threads: [{}] },
    ],
  })),
});
const OWN: Join = { threads: 4, queue: 1024, overflow: "block" };

function run(binary: string): void {
  const { binaries } = projectStore.getState();
  const status = {
    binary,
    state: "running" as const,
    detail: "",
    pid: 1,
    control: null,
    http: null,
    startedAtMs: 1,
    restarts: 0,
  };
  projectStore.setState({ binaries: [...binaries, { ...status, topologyHash: null }] });
  takeSchema({
    type: "schema",
    binary,
    pid: 1,
    services: [],
    calls: [],
    flows: [
      {
        id: 0,
        name: "F",
        source: { kind: "rate", perSecond: 1 },
        stages: [
          { id: "s", service: 0, role: "map", pool: null },
          { id: "slow", service: 1, role: "map", pool: 0 },
        ],
      },
    ],
    pools: [{ id: 0, name: "wide", queue: 1, overflow: "block", idle: "park", priority: 0, threads: [] }],
  } as unknown as LiveSchema);
}
const drawn = (): (Join | undefined)[] =>
  documentStore.getState().topology.flows[0]!.stages.map(({ join }) => join);

beforeEach(() => {
  sent.length = 0;
  refuse = undefined;
  resetLive();
  projectStore.setState(closedProject);
  showDocument({
    projectId: "p",
    topology,
    layout: emptyLayout(),
    revision: "1",
    readOnly: false,
    readOnlyReason: "",
  });
});

describe("changing a join", () => {
  it("draws it as one step when nothing runs", async () => {
    expect(await changeJoin("F", "slow", OWN)).toBeUndefined();
    expect(sent).toEqual([]);
    expect(drawn()).toEqual([undefined, OWN]);
    undo();
    expect(drawn()).toEqual([undefined, { pool: "wide" }]);
  });

  it("brings it into force in every binary that runs the flow, then draws it", async () => {
    run("one");
    run("two");
    expect(await changeJoin("F", "slow", OWN)).toBeUndefined();
    const params = { flow: "F", stage: "slow", join: OWN };
    expect(sent).toEqual([
      ["one", "join.set", params],
      ["two", "join.set", params],
    ]);
    expect(drawn()[1]).toEqual(OWN);
  });

  it("only draws it where the server has lost the binary", async () => {
    run("one");
    run("two");
    takeLost("two");
    expect(await changeJoin("F", "slow", OWN)).toBeUndefined();
    expect(sent).toEqual([["one", "join.set", { flow: "F", stage: "slow", join: OWN }]]);
    expect(drawn()[1]).toEqual(OWN);
  });

  it("changes nothing when a binary refuses it, and gives the reason", async () => {
    run("one");
    run("two");
    refuse = "two";
    expect(await changeJoin("F", "slow", null)).toEqual({ reason: "there is no room", help: "Try again." });
    expect(sent).toEqual([
      ["one", "join.remove", { flow: "F", stage: "slow" }],
      ["one", "join.set", { flow: "F", stage: "slow", join: { pool: "wide" } }],
    ]);
    expect(drawn()[1]).toEqual({ pool: "wide" });
    expect(documentStore.getState().past).toEqual([]);
  });

  it("only draws that of a stage which another binary runs", async () => {
    const far = { ...topology.binaries[0]!, name: "far", bundles: ["Far"] };
    const bundles = [
      { name: "B", services: ["S"], flows: ["F"] },
      { name: "Far", services: ["Slow"], flows: [] },
    ];
    showDocument({
      projectId: "p",
      topology: { ...topology, bundles, binaries: [topology.binaries[0]!, far] },
      layout: emptyLayout(),
      revision: "1",
      readOnly: false,
      readOnlyReason: "",
    });
    run("one");
    run("far");
    expect(await changeJoin("F", "slow", OWN)).toBeUndefined();
    expect(sent).toEqual([]);
    expect(drawn()[1]).toEqual(OWN);
  });

  it("refuses what breaks a rule before anything is asked", async () => {
    run("one");
    const refusal = await changeJoin("F", "slow", { pool: "narrow" });
    expect(refusal?.reason).toContain('runs on one thread of the pool "narrow"');
    expect(refusal?.help).toContain("more threads");
    expect(sent).toEqual([]);
    expect(drawn()[1]).toEqual({ pool: "wide" });
  });
});
