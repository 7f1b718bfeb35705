import { beforeEach, describe, expect, it, vi } from "vitest";
import { open } from "../../testing/ads.js";
import { addEnum } from "./edits/messages.js";
import { patchService } from "./edits/services.js";
import { rename, renameDrawnProject } from "./edits/rename.js";
import { documentStore, edit, redo, select, undo } from "./store.js";
import { COALESCE_MS } from "./history.js";

const state = () => documentStore.getState();
const deadline = (ms: number, coalesce?: string) =>
  edit(
    "Set deadline",
    (model) => patchService(model, "GetAd", { deadlineMs: ms }),
    coalesce ? { coalesce } : {},
  );
const drawn = () => state().topology.services.find((service) => service.name === "GetAd")?.deadlineMs;

describe("the document", () => {
  beforeEach(() => open());

  it("takes an edit back and does it again", () => {
    const before = state().topology;
    deadline(50);
    expect(drawn()).toBe(50);
    expect(undo()).toBe(true);
    expect(state().topology).toBe(before);
    expect(redo()).toBe(true);
    expect(drawn()).toBe(50);
  });

  it("records nothing for an edit that changes nothing", () => {
    deadline(50);
    expect(deadline(50)).toBe(false);
    expect(state().past).toHaveLength(1);
  });

  it("makes one step of a burst of the same edit, and two of a pause", () => {
    vi.useFakeTimers();
    deadline(1, "typing");
    deadline(2, "typing");
    expect(state().past).toHaveLength(1);
    vi.advanceTimersByTime(COALESCE_MS + 1);
    deadline(3, "typing");
    expect(state().past).toHaveLength(2);
    undo();
    expect(drawn()).toBe(2);
    undo();
    expect(drawn()).toBeUndefined();
    vi.useRealTimers();
  });

  it("does not merge a new burst into one that was undone", () => {
    deadline(1, "typing");
    undo();
    deadline(2, "typing");
    undo();
    expect(drawn()).toBeUndefined();
    expect(state().future).toHaveLength(1);
  });

  it("keeps what is selected when its name is taken back", () => {
    select("service:GetAd");
    rename("service:GetAd", "FindAd");
    expect(state().selection).toEqual(["service:FindAd"]);
    undo();
    expect(state().selection).toEqual(["service:GetAd"]);
    redo();
    expect(state().selection).toEqual(["service:FindAd"]);
  });

  it("keeps the selection out of the history", () => {
    deadline(50);
    select("service:ProduceAd");
    undo();
    expect(state().selection).toEqual(["service:ProduceAd"]);
    expect(state().past).toHaveLength(0);
  });

  it("forgets what could be redone once something new is drawn", () => {
    deadline(50);
    undo();
    deadline(60);
    expect(redo()).toBe(false);
    expect(drawn()).toBe(60);
  });

  it("changes nothing in a read-only project", () => {
    documentStore.setState({ readOnly: true });
    expect(deadline(50)).toBe(false);
    expect(drawn()).toBeUndefined();
  });

  it("renames everywhere, with the place on the canvas and the selection, and tells the files", () => {
    edit("Place", (model) => ({
      ...model,
      layout: { penstock: 1, nodes: { "service:ProduceAd": { x: 1, y: 2 } } },
    }));
    select("service:ProduceAd");
    rename("service:ProduceAd", "MakeAd");
    expect(state().topology.services[0]?.calls).toEqual(["MakeAd"]);
    expect(state().topology.binaries[0]?.placement["MakeAd"]).toEqual({ pool: "models" });
    expect(state().layout.nodes["service:MakeAd"]).toEqual({ x: 1, y: 2 });
    expect(state().selection).toEqual(["service:MakeAd"]);
    expect(state().renames).toEqual([{ kind: "service", from: "ProduceAd", to: "MakeAd" }]);
  });

  it("renames the project, and tells the files, which are in its namespace", () => {
    renameDrawnProject("shop");
    expect(state().topology.name).toBe("shop");
    expect(state().renames).toEqual([{ kind: "project", from: "ads", to: "shop" }]);
    undo();
    expect([state().topology.name, state().renames]).toEqual(["ads", []]);
    expect(renameDrawnProject("ads")).toBe(false);
  });

  it("tells the files of a renamed message and enum, which their code names", () => {
    edit("Add enum", (model) => addEnum(model, "Tier"));
    rename("message:Ad", "Banner");
    rename("enum:Tier", "Level");
    expect(state().renames).toEqual([
      { kind: "message", from: "Ad", to: "Banner" },
      { kind: "enum", from: "Tier", to: "Level" },
    ]);
    undo();
    expect(state().renames).toEqual([{ kind: "message", from: "Ad", to: "Banner" }]);
  });

  it("takes a rename back for the files too, and leaves nothing to do after there and back", () => {
    rename("service:ProduceAd", "MakeAd");
    undo();
    expect(state().renames).toEqual([]);
    redo();
    rename("service:MakeAd", "BuildAd");
    expect(state().renames).toEqual([{ kind: "service", from: "ProduceAd", to: "BuildAd" }]);
  });

  it("moves the stages of a renamed flow along", () => {
    edit("Place", (model) => ({
      ...model,
      layout: { penstock: 1, nodes: { "stage:Impressions/pick": { x: 5, y: 5 } } },
    }));
    rename("flow:Impressions", "Views");
    expect(state().layout.nodes).toEqual({ "stage:Views/pick": { x: 5, y: 5 } });
    expect(state().topology.bundles[0]?.flows).toEqual(["Views"]);
  });
});
