import { emptyLayout, topologySchema } from "@penstock/codegen/topology";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentStore, showDocument, undo } from "../../kernel/document/index.js";
import { resetLive, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { dismissToasts, toasts } from "../../kernel/ui/toast.js";
import { applyPreset, drawPreset, savePreset } from "./presetActions.js";
import { schemaOf } from "../../testing/schemaOf.js";

const sent: unknown[] = [];
const projects = new Set<unknown>();
let refused = false;
let whileAsked = (): void => undefined;
vi.mock("../../kernel/connection/commands.js", () => ({
  sendCommand: async (_binary: string, method: string, params: unknown, project: unknown) => {
    if (refused) whileAsked();
    if (refused) throw new ApiFailure(422, "refused", "no room", "", [], null);
    sent.push([method, params]);
    projects.add(project);
    whileAsked();
  },
}));

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  binaries: [{ name: "b", pools: [{ name: "p", threads: [{}] }] }],
});
const show = (projectId: string): void =>
  showDocument({
    projectId,
    topology,
    layout: emptyLayout(),
    revision: "1",
    readOnly: false,
    readOnlyReason: "",
  });
const run = (threads: number): void => {
  const all = Array.from({ length: threads }, () => ({ asked: [], actual: [0] }));
  takeSchema(schemaOf({ binary: "b", pools: [{ id: 0, name: "p", threads: all }] }));
  takeSample("b", {
    type: "sample",
    t: 1,
    seq: 1,
    services: [],
    implementations: [],
    calls: [],
    flows: [],
    stages: [],
    pools: [],
    threads: [],
    process: { cpuNs: 1, rssBytes: 1, threads: 1 },
  });
};
const binary = () => documentStore.getState().topology.binaries[0]!;
const preset = () => binary().presets![0]!;

beforeEach(() => {
  // What runs counts for as long as its figures are not stale.
  vi.useFakeTimers({ toFake: ["performance"] });
  sent.length = 0;
  projects.clear();
  refused = false;
  whileAsked = () => undefined;
  resetLive();
  show("p");
});

afterEach(() => void vi.useRealTimers());

describe("presets in the designer", () => {
  it("keep what runs, else what is drawn, as one step", () => {
    run(3);
    savePreset("b", "night");
    expect(preset()).toEqual({ name: "night", pools: [{ name: "p", threads: [{}, {}, {}] }], joins: [] });
    undo();
    expect(binary().presets).toBeUndefined();
    resetLive();
    savePreset("b", "day");
    expect(preset().pools).toEqual([{ name: "p", threads: [{}] }]);
  });

  it("are brought into force and drawn", async () => {
    run(3);
    savePreset("b", "night");
    run(1);
    await applyPreset("b", preset());
    expect(sent).toEqual([["pool.resize", { pool: "p", threads: 3 }]]);
    expect(binary().pools[0]?.threads).toHaveLength(3);
    expect(documentStore.getState().past).toHaveLength(2);
  });

  it("are not drawn in another project that is opened meanwhile", async () => {
    run(3);
    savePreset("b", "night");
    run(1);
    whileAsked = () => show("another");
    await applyPreset("b", preset());
    expect([...projects]).toEqual(["p"]);
    expect(documentStore.getState()).toMatchObject({ projectId: "another", topology, past: [] });
  });

  it("change nothing when they are refused", async () => {
    run(3);
    savePreset("b", "night");
    run(1);
    refused = true;
    await applyPreset("b", preset());
    expect(binary().pools[0]?.threads).toHaveLength(1);
    expect(documentStore.getState().past).toHaveLength(1);
  });

  it("that are refused are no word on another project that is opened meanwhile", async () => {
    run(3);
    savePreset("b", "night");
    run(1);
    refused = true;
    dismissToasts();
    whileAsked = () => show("another");
    await applyPreset("b", preset());
    expect([documentStore.getState().projectId, toasts.getState().list]).toEqual(["another", []]);
  });

  it("that are drawn already leave no step behind", () => {
    savePreset("b", "day");
    drawPreset("b", preset());
    expect(documentStore.getState().past).toHaveLength(1);
  });
});
