import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { validateTopology } from "@penstock/codegen/validate";
import { documentStore, edit, prepareEditsWith, select, undo } from "../../kernel/document/index.js";
import { adsTopology, open } from "../../testing/ads.js";
import { connection } from "./connect.js";
import { canvasBoxes, drawnItems, keepPlaces } from "../geometry/boxes.js";
import { copySelection, duplicateSelection, pasteClipboard } from "./clipboard.js";
import { addServiceAt, addServiceOnEdge, addSourceAt } from "./add.js";
import { alignSelection, distributeSelection, nudgeSelection } from "../arrange/arrangeSelection.js";
import { dropNodes } from "./drop.js";
import { addBinaryFor, groupSelection } from "./group.js";
import { removeThings } from "./remove.js";
import { toCanvasEdges } from "../toCanvasEdges.js";

const state = () => documentStore.getState();
const boxes = () => canvasBoxes(state().topology, state().layout);
const names = () => state().topology.services.map((service) => service.name);

describe("gestures on the canvas", () => {
  beforeEach(() => {
    prepareEditsWith(keepPlaces);
    open();
  });
  afterEach(() => void vi.useRealTimers());

  it("adds a service at a point, selected, in the bundle that is there, as one step", () => {
    const box = boxes().get("bundle:AdBundle");
    addServiceAt("simple", { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + (box?.height ?? 0) - 10 });
    expect(state().selection).toEqual(["service:Service"]);
    expect(state().topology.bundles[0]?.services).toContain("Service");
    expect(state().topology.services.at(-1)).toMatchObject({ request: "Ad" });
    undo();
    expect(names()).not.toContain("Service");
  });

  it("should put a copy beside its original, on top of nothing", () => {
    select(["service:ProduceAd"]);
    duplicateSelection();
    const all = boxes();
    const copy = all.get("service:ProduceAd2");
    expect(copy).toBeDefined();
    const covered = [...all].filter(
      ([ref, box]) =>
        ref !== "service:ProduceAd2" &&
        !ref.startsWith("bundle:") &&
        box.x < copy!.x + copy!.width &&
        copy!.x < box.x + box.width &&
        box.y < copy!.y + copy!.height &&
        copy!.y < box.y + box.height,
    );
    expect(covered).toEqual([]);
  });

  it("never puts something new on top of another, and moves nothing that is there", () => {
    open({ ...adsTopology(), services: [], flows: [], bundles: [], binaries: [] });
    for (let count = 0; count < 4; count++) addServiceAt("simple", { x: 100, y: 100 });
    addSourceAt("rate", { x: 110, y: 90 });
    const all = [...boxes().values()];
    const covered = all.flatMap((a) =>
      all.filter(
        (b) =>
          a !== b &&
          a.x < b.x + b.width &&
          b.x < a.x + a.width &&
          a.y < b.y + b.height &&
          b.y < a.y + a.height,
      ),
    );
    expect(covered).toEqual([]);
    expect(boxes().get("service:Service")).toMatchObject({ x: 99, y: 99 });
  });

  it("keeps a service where it is when it becomes a stage", () => {
    open({ ...adsTopology(), flows: [], bundles: [], binaries: [] });
    addSourceAt("rate", { x: 0, y: 2000 });
    dropNodes(new Map([["service:GetAd", { x: 704, y: 1100 }]]));
    const before = boxes();
    const verdict = connection(
      state().topology,
      { node: "flow:Events", handle: "flow-out" },
      { node: "service:GetAd", handle: "flow-in" },
    );
    edit("Connect", verdict.ok ? verdict.edit : (model) => model);
    expect(state().topology.flows[0]?.event).toBe("AdRequest");
    expect(boxes().get("stage:Events/getAd")).toMatchObject({ x: 704, y: 1100 });
    expect(boxes().get("flow:Events")).toEqual(before.get("flow:Events"));
  });

  it("gives a service drawn out of a port what leaves that port, and connects it", () => {
    addServiceAt("simple", { x: 2000, y: 0 }, { node: "stage:Impressions/pick", handle: "flow-out" });
    const added = state().topology.services.at(-1);
    expect(added?.request).toBe("Ad");
    expect(state().topology.flows[0]?.stages.some((stage) => stage.service === added?.name)).toBe(true);
    expect(validateTopology(state().topology).filter((problem) => problem.severity === "error")).toEqual([]);
  });

  it("inserts a service onto an edge with the type that runs there", () => {
    addServiceOnEdge("simple", { x: 0, y: 0 }, "Impressions", "log");
    expect(state().topology.services.at(-1)).toMatchObject({ request: "Ad", response: "Ad" });
    expect(validateTopology(state().topology).filter((problem) => problem.severity === "error")).toEqual([]);
  });

  it("adds a source as a flow without stages", () => {
    expect(addSourceAt("rate", { x: 0, y: 900 })).toBe("Events");
    expect(state().topology.flows.at(-1)).toMatchObject({
      source: { kind: "rate", perSecond: 100 },
      stages: [],
    });
  });

  it("takes a service out of its bundle when it is dropped outside, and into one it is dropped in", () => {
    dropNodes(new Map([["service:ProduceAd", { x: 5000, y: 5000 }]]));
    expect(state().topology.bundles[0]?.services).not.toContain("ProduceAd");
    const inside = boxes().get("stage:Impressions/pick");
    dropNodes(new Map([["service:ProduceAd", { x: inside?.x ?? 0, y: (inside?.y ?? 0) + 10 }]]));
    expect(state().topology.bundles[0]?.services).toContain("ProduceAd");
  });

  it("moves what is in a bundle with it, without changing who is in it", () => {
    const before = boxes();
    const bundle = before.get("bundle:AdBundle");
    dropNodes(new Map([["bundle:AdBundle", { x: (bundle?.x ?? 0) + 100, y: (bundle?.y ?? 0) + 50 }]]));
    const after = boxes();
    for (const id of ["bundle:AdBundle", "flow:Impressions", "service:ProduceAd"]) {
      expect(after.get(id)?.x).toBe((before.get(id)?.x ?? 0) + 100);
      expect(after.get(id)?.y).toBe((before.get(id)?.y ?? 0) + 50);
    }
    expect(state().topology).toEqual(adsTopology());
    expect(state().past).toHaveLength(1);
  });

  it("removes a stage with its service, and everything selected as one step", () => {
    removeThings(["stage:Impressions/log", "call:GetAd>ProduceAd"]);
    expect(names()).toEqual(["GetAd", "ProduceAd", "CountError"]);
    expect(state().topology.services[0]?.calls).toEqual([]);
    undo();
    expect(state().topology).toEqual(adsTopology());
  });

  it("keeps the service of a removed stage as long as somebody calls it", () => {
    edit("Call", (model) => ({
      ...model,
      topology: {
        ...model.topology,
        services: model.topology.services.map((service) =>
          service.name === "ProduceAd" ? { ...service, calls: ["LogAd"] } : service,
        ),
      },
    }));
    removeThings(["stage:Impressions/log"]);
    expect(names()).toContain("LogAd");
    expect(state().topology.flows[0]?.stages.map((stage) => stage.id)).toEqual(["pick", "oops"]);
  });

  it("removing the edge into a stage takes the stage out and leaves the service drawn", () => {
    removeThings(["link:Impressions/log"]);
    expect(names()).toContain("LogAd");
    expect(boxes().has("service:LogAd")).toBe(true);
  });

  /** What a lasso selects: React Flow takes every line along that is at a node within. */
  const lassoed = (...nodes: string[]) => [
    ...nodes,
    ...toCanvasEdges(state().topology, [])
      .filter(({ source, target }) => nodes.includes(source) || nodes.includes(target))
      .map(({ id }) => id),
  ];
  const drawn = () => drawnItems(state().topology).map(({ ref }) => ref);

  it("deletes of what a lasso selects nothing that is outside, and undoes it as one step", () => {
    const selection = lassoed("stage:Impressions/pick");
    expect(selection).toContain("link:Impressions/log");
    removeThings(selection);
    expect(drawn()).toEqual([
      "flow:Impressions",
      "stage:Impressions/log",
      "stage:Impressions/oops",
      "service:ProduceAd",
    ]);
    expect(names()).not.toContain("GetAd");
    expect(state().past.map(({ label }) => label)).toEqual(["Delete pick"]);
    undo();
    expect(state().topology).toEqual(adsTopology());
  });

  it("deletes all that is selected, in whatever order it was", () => {
    for (const selection of [drawn(), lassoed(...drawn(), "bundle:AdBundle").reverse()]) {
      open();
      removeThings(selection);
      expect(drawn()).toEqual([]);
      expect(names()).toEqual([]);
      undo();
      expect(state().topology).toEqual(adsTopology());
    }
  });

  it("deletes a stage's service that only others ask which go as well", () => {
    const { services, ...topology } = adsTopology();
    const calls: Record<string, string[]> = {
      GetAd: ["LogAd"],
      LogAd: ["CountError"],
      CountError: ["LogAd"],
    };
    open({ ...topology, services: services.map((one) => ({ ...one, calls: calls[one.name] ?? [] })) });
    removeThings(["stage:Impressions/oops", "stage:Impressions/log"]);
    expect(names()).toEqual(["GetAd", "ProduceAd", "LogAd", "CountError"]);
    undo();
    removeThings(["stage:Impressions/oops", "stage:Impressions/log", "stage:Impressions/pick"]);
    expect(names()).toEqual(["ProduceAd"]);
  });

  it("deletes a line beside a node that it does not lead to", () => {
    removeThings(["stage:Impressions/oops", "link:Impressions/log"]);
    expect(drawn()).toEqual([
      "flow:Impressions",
      "stage:Impressions/pick",
      "service:ProduceAd",
      "service:LogAd",
    ]);
  });

  it("pastes a flow that was cut under the names that it had", async () => {
    select(lassoed(...drawn()));
    copySelection();
    removeThings(state().selection);
    await pasteClipboard({ x: 0, y: 0 });
    expect(names()).toEqual(["GetAd", "ProduceAd", "LogAd", "CountError"]);
    expect(state().topology.flows.map(({ name }) => name)).toEqual(["Impressions"]);
  });

  it("groups services with the flow that runs through them, and makes a binary for the bundle", () => {
    open({ ...adsTopology(), bundles: [], binaries: [] });
    select([
      "stage:Impressions/pick",
      "stage:Impressions/log",
      "stage:Impressions/oops",
      "service:ProduceAd",
    ]);
    expect(groupSelection()).toBe("Bundle");
    expect(state().topology.bundles[0]).toMatchObject({ flows: ["Impressions"] });
    expect(state().topology.bundles[0]?.services).toHaveLength(4);
    addBinaryFor("Bundle");
    expect(state().topology.binaries[0]).toMatchObject({ bundles: ["Bundle"] });
    expect(validateTopology(state().topology).filter((problem) => problem.node?.startsWith("b"))).toEqual([]);
  });

  it("groups what a binary runs so that it runs it still", () => {
    const errors = () => validateTopology(state().topology).filter(({ severity }) => severity === "error");
    expect(errors()).toEqual([]);
    select(["service:ProduceAd", "stage:Impressions/log"]);
    groupSelection();
    expect(state().topology.binaries[0]?.bundles).toEqual(["AdBundle", "Bundle"]);
    expect(errors()).toEqual([]);
  });

  it("aligns, distributes and nudges; a burst of arrow keys is one step", () => {
    select(["stage:Impressions/log", "stage:Impressions/oops", "service:ProduceAd"]);
    alignSelection("left");
    const lefts = state().selection.map((id) => boxes().get(id)?.x);
    expect(new Set(lefts).size).toBe(1);
    distributeSelection();
    const steps = state().past.length;
    // A burst takes no time.
    vi.useFakeTimers({ toFake: ["Date"] });
    nudgeSelection(1, 0);
    nudgeSelection(1, 0);
    expect(state().past.length).toBe(steps + 1);
    expect(boxes().get("service:ProduceAd")?.x).toBe((lefts[0] ?? 0) + 22);
  });

  it("duplicates with the calls among the copies, and not those to others", () => {
    select(["stage:Impressions/pick", "service:ProduceAd"]);
    duplicateSelection();
    const copies = state().topology.services.slice(4);
    expect(copies.map((service) => service.name)).toEqual(["GetAd2", "ProduceAd2"]);
    expect(copies[0]?.calls).toEqual(["ProduceAd2"]);
    expect(state().selection).toHaveLength(2);
  });

  it("duplicates the branches of a flow, past the stages that are not copied", () => {
    const topology = adsTopology();
    const [flow] = topology.flows;
    const log = { id: "more", service: "ProduceAd", role: "side-effect" as const };
    open({
      ...topology,
      flows: [
        {
          ...flow!,
          stages: [
            ...flow!.stages.slice(0, 2),
            { ...log, after: ["pick"], when: "PAID" },
            { ...log, id: "last", after: ["log", "more"] },
          ],
        },
      ],
    });
    const copied = (...refs: string[]) => {
      select(["flow:Impressions", ...refs]);
      duplicateSelection();
      return state()
        .topology.flows.at(-1)
        ?.stages.map(({ id, after }) => [id, after]);
    };
    expect(copied("service:GetAd", "service:LogAd", "service:ProduceAd")).toEqual([
      ["pick", undefined],
      ["log", undefined],
      ["more", ["pick"]],
      ["last", ["log", "more"]],
    ]);
    expect(copied("service:GetAd", "service:ProduceAd")).toEqual([
      ["pick", undefined],
      ["more", ["pick"]],
      ["last", ["pick", "more"]],
    ]);
  });

  it("pastes into another project together with the messages it needs", async () => {
    select(["service:ProduceAd"]);
    expect(copySelection()).toBe(true);
    open({ ...adsTopology(), messages: [], services: [], flows: [], bundles: [], binaries: [] });
    expect(await pasteClipboard({ x: 100, y: 100 })).toBe(true);
    expect(names()).toEqual(["ProduceAd"]);
    expect(state().topology.messages.map((message) => message.name)).toEqual(["AdRequest", "Ad"]);
    expect(boxes().get("service:ProduceAd")).toMatchObject({ x: 100, y: 100 });
  });
});
