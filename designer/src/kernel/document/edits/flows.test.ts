import { describe, expect, it } from "vitest";
import { validateTopology } from "@penstock/codegen/validate";
import { modelOf } from "../../../testing/ads.js";
import type { DocumentModel } from "../model.js";
import {
  appendStage,
  hasEventCode,
  insertStage,
  nodeOfService,
  patchFlow,
  removeFlow,
  removeStage,
  setAfter,
  setMadeFields,
  setRate,
  setWhen,
} from "./flows.js";
import { moveToBundle } from "./bundles.js";
import { placed } from "./layout.js";
import { addService } from "./services.js";

const withService = (name: string, request: string, response?: string): DocumentModel =>
  moveToBundle(
    addService(modelOf(), {
      name,
      request,
      ...(response ? { response } : {}),
      kind: "simple",
      calls: [],
      implementations: [],
    }),
    { services: [name], flows: [] },
    "AdBundle",
  );
const ids = (model: DocumentModel) => model.topology.flows[0]?.stages.map((stage) => stage.id);
const errors = (model: DocumentModel) =>
  validateTopology(model.topology).filter((problem) => problem.severity === "error");

describe("the rate of a flow", () => {
  const made = { text: { choice: ["a", "b"] } };
  const sourceOf = (model: DocumentModel) => model.topology.flows[0]?.source;
  const generating = () =>
    patchFlow(modelOf(), "Impressions", { source: { kind: "rate", perSecond: 10, event: made } });

  it("leaves how its events are made", () => {
    expect(sourceOf(setRate(generating(), "Impressions", 20))).toEqual({
      kind: "rate",
      perSecond: 20,
      event: made,
    });
  });

  it("is what a file source reads at most, or nothing, and leaves which file and how often", () => {
    const file = { kind: "file", path: "a.jsonl", loop: true } as const;
    const reading = patchFlow(modelOf(), "Impressions", { source: file });
    const limited = setRate(reading, "Impressions", 0.5);
    expect(sourceOf(limited)).toEqual({ ...file, perSecond: 0.5 });
    expect(sourceOf(setRate(limited, "Impressions", undefined))).toEqual(file);
    expect(setRate(generating(), "Impressions", undefined)).toEqual(generating());
  });

  it("changes nothing when it is that already, or when somebody else makes the events", () => {
    const model = generating();
    expect(setRate(model, "Impressions", 10)).toBe(model);
    const posted = patchFlow(model, "Impressions", { source: { kind: "http", path: "/a" } });
    expect(setRate(posted, "Impressions", 20)).toBe(posted);
  });
});

describe("branches", () => {
  const stageOf = (model: DocumentModel, id: string) =>
    model.topology.flows[0]?.stages.find((stage) => stage.id === id);

  it("takes a branch for one value, for several, and without any always", () => {
    const one = setWhen(modelOf(), "Impressions", "log", ["PREMIUM"]);
    expect(stageOf(one, "log")?.when).toBe("PREMIUM");
    const two = setWhen(one, "Impressions", "log", ["PREMIUM", "BASIC"]);
    expect(stageOf(two, "log")?.when).toEqual(["PREMIUM", "BASIC"]);
    const always = setWhen(two, "Impressions", "log", []);
    expect(always.topology).toEqual(modelOf().topology);
    expect(stageOf(always, "log")).not.toHaveProperty("when");
  });

  it("leads several stages into one, and says nothing where it is just the one before", () => {
    const merged = setAfter(modelOf(), "Impressions", "oops", ["pick", "log"]);
    expect(stageOf(merged, "oops")?.after).toEqual(["pick", "log"]);
    const earlier = setAfter(merged, "Impressions", "oops", ["pick"]);
    expect(stageOf(earlier, "oops")?.after).toEqual(["pick"]);
    for (const others of [["log"], []]) {
      const plain = setAfter(earlier, "Impressions", "oops", others);
      expect(plain.topology).toEqual(modelOf().topology);
      expect(stageOf(plain, "oops")).not.toHaveProperty("after");
    }
  });
});

describe("how the fields of events are made", () => {
  const fields = { cookie: { choice: ["a", "b"] } };
  const flowOf = (model: DocumentModel) => model.topology.flows[0]!;

  it("is set beside the rate, and the user's C++ has nothing to make", () => {
    const made = setMadeFields(modelOf(), "Impressions", fields);
    expect(flowOf(made).source).toEqual({ kind: "rate", perSecond: 200, event: fields });
    expect(errors(made)).toEqual([]);
    expect([hasEventCode(flowOf(modelOf())), hasEventCode(flowOf(made))]).toEqual([true, false]);
  });

  it("is the user's C++ again when the last field is taken out", () => {
    const made = setMadeFields(modelOf(), "Impressions", fields);
    const written = setMadeFields(made, "Impressions", {});
    expect(flowOf(written).source).toEqual({ kind: "rate", perSecond: 200 });
    expect(hasEventCode(flowOf(written))).toBe(true);
  });

  it("is no matter of another source", () => {
    const posted = patchFlow(modelOf(), "Impressions", { source: { kind: "http", path: "/a" } });
    expect(setMadeFields(posted, "Impressions", fields)).toBe(posted);
    expect(hasEventCode(flowOf(posted))).toBe(false);
  });
});

describe("stages", () => {
  it("puts a map before the catches at the end, so that the flow stays one line", () => {
    const model = appendStage(withService("Rank", "Ad", "Ad"), "Impressions", "Rank", "pick");
    expect(ids(model)).toEqual(["pick", "log", "rank", "oops"]);
    expect(model.topology.flows[0]?.stages.every((stage) => stage.after === undefined)).toBe(true);
    expect(errors(model)).toEqual([]);
  });

  it("puts a side effect right behind its stage", () => {
    const model = appendStage(withService("Audit", "Ad"), "Impressions", "Audit", "pick", "side-effect");
    expect(ids(model)).toEqual(["pick", "audit", "log", "oops"]);
  });

  it.each(["side-effect", "map"] as const)("puts a %s behind the source before all branches", (role) => {
    const service = withService("Audit", "AdRequest", role === "map" ? "AdRequest" : undefined);
    const branched = setAfter(service, "Impressions", "oops", ["pick"]);
    const model = appendStage(branched, "Impressions", "Audit", undefined, role);
    expect(ids(model)).toEqual(["audit", "pick", "log", "oops"]);
    expect(model.topology.flows[0]?.stages.map(({ after }) => after)).toEqual([
      undefined,
      undefined,
      undefined,
      ["pick"],
    ]);
    expect(errors(model)).toEqual([]);
  });

  it("makes a branch only where another map already follows", () => {
    const once = appendStage(withService("Rank", "Ad", "Ad"), "Impressions", "Rank", "pick");
    const twice = appendStage(
      addService(once, {
        name: "Sort",
        request: "Ad",
        response: "Ad",
        kind: "simple",
        calls: [],
        implementations: [],
      }),
      "Impressions",
      "Sort",
      "pick",
    );
    expect(twice.topology.flows[0]?.stages.at(-1)).toEqual({
      id: "sort",
      service: "Sort",
      role: "map",
      after: ["pick"],
    });
  });

  it("makes a leg of its own behind a stage that decides where something follows it", () => {
    const deciding = (): DocumentModel => {
      const model = withService("Audit", "Ad");
      model.topology.enums.push({ name: "Tier", values: [{ name: "FREE", number: 0 }] });
      model.topology.messages[1]?.fields.push({ name: "tier", type: "Tier", tag: 2 });
      return model;
    };
    const legs = appendStage(deciding(), "Impressions", "Audit", "pick", "side-effect");
    expect(legs.topology.flows[0]?.stages.at(-1)).toEqual({
      id: "audit",
      service: "Audit",
      role: "side-effect",
      after: ["pick"],
    });
    expect(errors(legs)).toEqual([]);
    const alone = removeStage(deciding(), "Impressions", "log");
    expect(ids(appendStage(alone, "Impressions", "Audit", "pick", "side-effect"))).toEqual([
      "pick",
      "audit",
      "oops",
    ]);
    const further = appendStage(deciding(), "Impressions", "Audit", "log", "side-effect");
    expect(ids(further)).toEqual(["pick", "log", "audit", "oops"]);
  });

  it("gives the place of the service to its first stage, and back when it leaves the flow", () => {
    const drawn = placed(withService("Rank", "Ad", "Ad"), { "service:Rank": { x: 3, y: 4 } });
    const staged = appendStage(drawn, "Impressions", "Rank", "pick");
    expect(staged.layout.nodes).toEqual({ "stage:Impressions/rank": { x: 3, y: 4 } });
    expect(nodeOfService(staged.topology, "Rank")).toBe("stage:Impressions/rank");
    expect(removeStage(staged, "Impressions", "rank").layout.nodes).toEqual({
      "service:Rank": { x: 3, y: 4 },
    });
  });

  it("inserts on an edge without changing what comes after", () => {
    const model = insertStage(withService("Check", "Ad", "Ad"), "Impressions", "Check", "log");
    expect(ids(model)).toEqual(["pick", "check", "log", "oops"]);
    expect(errors(model)).toEqual([]);
  });

  it("inserts on a branch for the values that take it", () => {
    const branched = setWhen(withService("Check", "Ad", "Ad"), "Impressions", "log", ["PREMIUM"]);
    const stages = insertStage(branched, "Impressions", "Check", "log").topology.flows[0]?.stages ?? [];
    expect(stages.map(({ id, when }) => [id, when])).toEqual([
      ["pick", undefined],
      ["check", "PREMIUM"],
      ["log", undefined],
      ["oops", undefined],
    ]);
  });

  it("leaves the services of a removed flow drawn where they were", () => {
    const model = placed(modelOf(), { "stage:Impressions/pick": { x: 1, y: 1 } });
    const gone = removeFlow(model, "Impressions");
    expect(gone.topology.flows).toEqual([]);
    expect(gone.layout.nodes).toEqual({ "service:GetAd": { x: 1, y: 1 } });
    expect(gone.topology.bundles[0]?.flows).toEqual([]);
  });
});
