import type { ProjectDocument } from "@penstock/codegen/contract";
import { emptyLayout, printTopology } from "@penstock/codegen/topology";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dispatch } from "../../kernel/connection/dispatch.js";
import { patchService } from "../../kernel/document/edits/services.js";
import { documentStore, edit } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { damageWords } from "../../kernel/problems/damage.js";
import { modelOf, open } from "../../testing/ads.js";
import type { ToastOptions } from "../../kernel/ui/index.js";
import { followOtherSaves } from "./followOtherSaves.js";

const said = vi.hoisted(() => vi.fn<(title: string, options: ToastOptions) => void>());
vi.mock("../../kernel/ui/toast.js", () => ({ toast: said }));

const theirs = (deadlineMs: number): ProjectDocument => ({
  id: "p1",
  revision: "r2",
  topology: printTopology(patchService(modelOf(), "GetAd", { deadlineMs }).topology),
  // One that somebody has placed is not arranged.
  layout: { ...emptyLayout(), nodes: { "service:ProduceAd": { x: 0, y: 0 } } },
  readOnly: false,
  readOnlyReason: "",
  trusted: true,
});
const UNREADABLE = "The project was changed elsewhere, and cannot be read now";
let give: (answer: Response) => void;
let stop: () => void;

/** Another revision is on disk, which has been asked for. */
const told = async (revision = "r2"): Promise<void> => {
  dispatch({ type: "saved", project: "p1", revision, topologyHash: "" });
  await vi.advanceTimersByTimeAsync(400);
};
const answer = async (document: object, status = 200): Promise<void> => {
  give(Response.json(document, { status }));
  await vi.advanceTimersByTimeAsync(0);
};
const shown = () => {
  const { revision, save, topology, past } = documentStore.getState();
  return [revision, save.state, topology.services[0]?.deadlineMs, past.length];
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => new Promise((resolve) => (give = resolve)));
  said.mockReset();
  open();
  projectStore.setState({ ...closedProject, project: "p1" });
  stop = followOtherSaves();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows what somebody else has drawn", async () => {
  await told();
  await answer(theirs(7));
  expect(shown()).toEqual(["r2", "saved", 7, 0]);
  expect(said).toHaveBeenLastCalledWith("Reloaded: the project was changed elsewhere", expect.anything());
});

it("shows it to who may only look", async () => {
  documentStore.setState({ save: { state: "readonly", message: "" } });
  await told();
  await answer({ ...theirs(7), readOnly: true });
  expect(shown()).toEqual(["r2", "readonly", 7, 0]);
});

it("leaves all as it is where theirs is another text of the same drawing", async () => {
  edit("Set deadline", (model) => patchService(model, "GetAd", { deadlineMs: 7 }));
  documentStore.setState({ save: { state: "saved", message: "" } });
  await told();
  await answer({
    ...theirs(7),
    layout: documentStore.getState().layout,
    topology: `${theirs(7).topology}\n`,
  });
  expect(shown()).toEqual(["r2", "saved", 7, 1]);
  expect(said).not.toHaveBeenCalled();
});

it("leaves what is drawn where theirs cannot be read, and says so", async () => {
  const before = shown();
  await told();
  const message = "topology.json is damaged: it is no JSON";
  const place = { pointer: "", line: 3, column: 18 };
  const wrong = { code: "PS101", severity: "error", message: "it is no JSON", help: "Correct it.", ...place };
  await answer({ error: { code: "damaged", message, help: "", problems: [wrong] } }, 422);
  const body = `${message} (line 3, column 18)`;
  expect(said).toHaveBeenLastCalledWith(UNREADABLE, expect.objectContaining({ body }));
  const { damage } = documentStore.getState();
  expect(damageWords(damage)).toBe(body);
  expect(damage).toEqual([{ ...wrong, message, file: "topology.json" }]);
  await told();
  await answer({ ...theirs(7), topology: '{ "penstock": 1,, }' });
  expect(said).toHaveBeenCalledTimes(2);
  expect(shown()).toEqual(before);
  await told();
  const { topology, layout } = documentStore.getState();
  await answer({ ...theirs(7), topology: printTopology(topology), layout });
  expect(said).toHaveBeenLastCalledWith("The project can be read again", expect.anything());
});

it("says that it can be read again where it is what it was", async () => {
  await told();
  await answer({ error: { code: "damaged", message: "no JSON", help: "", problems: [] } }, 422);
  await told("r1");
  expect(said).toHaveBeenLastCalledWith("The project can be read again", expect.anything());
  expect(documentStore.getState().damage).toEqual([]);
  await told("r1");
  expect(said).toHaveBeenCalledTimes(2);
});

it("says of no other project that it is damaged", async () => {
  await told();
  documentStore.setState({ projectId: "p2" });
  await answer({ error: { code: "damaged", message: "no JSON", help: "", problems: [] } }, 422);
  expect([documentStore.getState().damage, said.mock.calls]).toEqual([[], []]);
});

it("looks again once somebody has chosen between two drawings: more may have been saved meanwhile", async () => {
  documentStore.setState({ save: { state: "conflict", message: "" } });
  await told();
  expect(shown()).toEqual(["r1", "conflict", undefined, 0]);
  documentStore.setState({ save: { state: "saved", message: "" } });
  await vi.advanceTimersByTimeAsync(0);
  await answer(theirs(7));
  expect(shown()).toEqual(["r2", "saved", 7, 0]);
});

it("does not overwrite what was drawn while it came", async () => {
  await told();
  edit("Set deadline", (model) => patchService(model, "GetAd", { deadlineMs: 9 }));
  await answer(theirs(7));
  expect(shown()).toEqual(["r1", "unsaved", 9, 1]);
});
