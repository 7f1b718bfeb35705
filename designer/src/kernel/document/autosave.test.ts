import { emptyLayout, printTopology } from "@penstock/codegen/topology";
import type { ProjectDocument } from "@penstock/codegen/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adsTopology, open } from "../../testing/ads.js";
import { connectDocument, flushSave, resolveConflict, SAVE_DELAY_MS, type SaveOutcome } from "./autosave.js";
import { adoptDraft, type Draft, dropUnread, keepDraft, readDraft, unreadDraft } from "./draft.js";
import { rename } from "./edits/rename.js";
import { patchService } from "./edits/services.js";
import { openDocument } from "./open.js";
import { documentStore, edit, undo } from "./store.js";

const state = () => documentStore.getState();
const deadline = (ms: number) =>
  edit("Set deadline", (model) => patchService(model, "GetAd", { deadlineMs: ms }));
const saved = (revision: string): SaveOutcome => ({ kind: "saved", revision, problems: [] });
const onDisk = (revision: string): ProjectDocument => ({
  id: "p1",
  revision,
  topology: printTopology(adsTopology()),
  layout: { penstock: 1, nodes: {} },
  readOnly: false,
  readOnlyReason: "",
  trusted: true,
});

describe("saving", () => {
  const save =
    vi.fn<
      (id: string, body: { topology: string; renames?: unknown }, revision: string) => Promise<SaveOutcome>
    >();
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    sessionStorage.clear();
    save.mockReset();
    stop = connectDocument({ save });
    open();
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  it("saves once, a moment after the last edit, from the revision it was made of", async () => {
    save.mockResolvedValue(saved("r2"));
    deadline(1);
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS - 10);
    deadline(2);
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS - 10);
    expect(save).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(save).toHaveBeenCalledTimes(1);
    expect(save.mock.calls[0]?.[2]).toBe("r1");
    expect(save.mock.calls[0]?.[1].topology).toContain('"deadlineMs": 2');
    expect(state().save.state).toBe("saved");
    expect(state().revision).toBe("r2");
  });

  it("does not save what is opened", async () => {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(save).not.toHaveBeenCalled();
  });

  it("saves again what changed while it was saving", async () => {
    save.mockImplementationOnce(async () => {
      deadline(9);
      return saved("r2");
    });
    save.mockResolvedValueOnce(saved("r3"));
    deadline(1);
    expect(await flushSave()).toBe(true);
    expect(save.mock.calls[1]?.[2]).toBe("r2");
    expect(save.mock.calls[1]?.[1].topology).toContain('"deadlineMs": 9');
    expect(state().save.state).toBe("saved");
  });

  it("tells the server of a rename made while the one before it was saved", async () => {
    const renamed = (from: string, to: string) => ({ kind: "service", from, to });
    save.mockImplementationOnce(async () => {
      rename("service:Pick", "Choose");
      return saved("r2");
    });
    save.mockResolvedValueOnce(saved("r3"));
    rename("service:GetAd", "Pick");
    expect(await flushSave()).toBe(true);
    expect(save.mock.calls.map(([, body]) => body.renames)).toEqual([
      [renamed("GetAd", "Pick")],
      [renamed("Pick", "Choose")],
    ]);
  });

  it("tells the server of renames again that a failed save had, before later ones", async () => {
    save.mockImplementationOnce(async () => {
      rename("service:LogAd", "Log");
      dispatchEvent(new Event("pagehide"));
      return { kind: "failed", message: "no connection" };
    });
    rename("service:GetAd", "Pick");
    expect(await flushSave()).toBe(false);
    const all = [
      { kind: "service", from: "GetAd", to: "Pick" },
      { kind: "service", from: "LogAd", to: "Log" },
    ];
    expect(state().renames).toEqual(all);
    expect(readDraft("p1")?.renames).toEqual(all);
    save.mockResolvedValueOnce(saved("r2"));
    expect(await flushSave()).toBe(true);
    expect(save.mock.calls[1]?.[1].renames).toEqual(all);
  });

  it("keeps a draft and tries again when the server is away", async () => {
    save.mockResolvedValueOnce({ kind: "failed", message: "no connection" }).mockResolvedValue(saved("r2"));
    deadline(7);
    expect(await flushSave()).toBe(false);
    expect(state().save).toMatchObject({ state: "failed" });
    expect(readDraft("p1")?.topology).toContain('"deadlineMs": 7');
    await vi.advanceTimersByTimeAsync(2500);
    expect(state().save.state).toBe("saved");
    expect(readDraft("p1")).toBeUndefined();
  });

  it("says that what cannot be written is not saved, and saves it once it can", async () => {
    rename("service:GetAd", "Pick");
    const settings = { on: [undefined] };
    edit("Empty", (model) => patchService(model, "Pick", { node: { type: "retry", settings } }));
    expect(await flushSave()).toBe(false);
    expect(state().save.state).toBe("failed");
    expect(state().save.message).toContain("NOT kept");
    dispatchEvent(new Event("pagehide"));
    expect(readDraft("p1")).toBeUndefined();
    expect(save).not.toHaveBeenCalled();
    undo();
    save.mockResolvedValueOnce(saved("r2"));
    expect(await flushSave()).toBe(true);
    expect(save.mock.calls[0]?.[1].renames).toEqual([{ kind: "service", from: "GetAd", to: "Pick" }]);
  });

  it("keeps what is unsaved when the page is left, and nothing when all is saved", async () => {
    save.mockResolvedValue(saved("r2"));
    deadline(7);
    dispatchEvent(new Event("pagehide"));
    expect(readDraft("p1")?.topology).toContain('"deadlineMs": 7');
    openDocument(onDisk("r1"));
    expect(state().topology.services[0]?.deadlineMs).toBe(7);
    expect(await flushSave()).toBe(true);
    dispatchEvent(new Event("pagehide"));
    expect(readDraft("p1")).toBeUndefined();
  });

  it("brings a draft back when the project is opened at the revision it was made of", async () => {
    save.mockResolvedValue({ kind: "failed", message: "no connection" });
    deadline(7);
    await flushSave();
    expect(openDocument({ ...onDisk("r1"), folder: "ads2" })).toEqual([]);
    expect(documentStore.getState().folder).toBe("ads2");
    expect(state().topology.services[0]?.deadlineMs).toBe(7);
    expect(state().save.state).toBe("unsaved");
  });

  it("keeps a draft that cannot be read until somebody has it", async () => {
    const topology = `{ "penstock": 1, "name": 1e30 }`;
    const draft = { topology, layout: emptyLayout(), revision: "r1", savedAtMs: 1, renames: [] };
    keepDraft("p1", draft);
    openDocument(onDisk("r1"));
    expect(state().save.state).toBe("saved");
    save.mockResolvedValue(saved("r2"));
    deadline(7);
    expect(await flushSave()).toBe(true);
    openDocument(onDisk("r2"));
    expect(unreadDraft("p1")).toBe(topology);
    dropUnread("p1");
    expect(unreadDraft("p1")).toBeUndefined();
    keepDraft("p1", { ...draft, layout: { nodes: "none" } } as unknown as Draft);
    openDocument(onDisk("r2"));
    expect(unreadDraft("p1")).toContain("1e30");
  });

  it("asks what to do with a draft of an older revision", async () => {
    save.mockResolvedValue({ kind: "failed", message: "no connection" });
    deadline(7);
    await flushSave();
    openDocument(onDisk("r5"));
    expect(state().save.state).toBe("conflict");
    expect(state().topology.services[0]?.deadlineMs).toBe(7);
  });

  it("stops saving on a conflict until it is decided: mine goes over theirs", async () => {
    save.mockResolvedValueOnce({ kind: "conflict", current: onDisk("r9") });
    deadline(7);
    await flushSave();
    expect(state().save.state).toBe("conflict");
    deadline(8);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(save).toHaveBeenCalledTimes(1);
    save.mockResolvedValueOnce(saved("r10"));
    expect(await resolveConflict("mine")).toBe(true);
    expect(save.mock.calls[1]?.[2]).toBe("r9");
    expect(save.mock.calls[1]?.[1].topology).toContain('"deadlineMs": 8');
  });

  it("keeps what is drawn on while a conflict waits, and asks again after a reload", async () => {
    save.mockResolvedValueOnce({ kind: "conflict", current: onDisk("r9") });
    deadline(7);
    await flushSave();
    deadline(8);
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
    expect(readDraft("p1")?.topology).toContain('"deadlineMs": 8');
    deadline(9);
    dispatchEvent(new Event("pagehide"));
    for (let reload = 0; reload < 2; reload++) {
      openDocument(onDisk("r9"));
      expect(state().save.state).toBe("conflict");
      expect(state().topology.services[0]?.deadlineMs).toBe(9);
      dispatchEvent(new Event("pagehide"));
    }
    expect(save).toHaveBeenCalledTimes(1);
  });

  it("leaves the draft of another tab alone, which a project that is opened takes over", async () => {
    const inTab = (tab: string) => sessionStorage.setItem("penstock.tab", tab);
    inTab("other");
    save.mockResolvedValueOnce({ kind: "conflict", current: onDisk("r9") });
    deadline(7);
    await flushSave();
    inTab("mine");
    open();
    save.mockResolvedValueOnce(saved("r10"));
    deadline(8);
    expect(await flushSave()).toBe(true);
    openDocument(onDisk("r10"));
    expect(state().save.state).toBe("saved");
    inTab("other");
    expect(readDraft("p1")?.topology).toContain('"deadlineMs": 7');

    inTab("new");
    adoptDraft("p1");
    openDocument(onDisk("r10"));
    expect(state().save.state).toBe("conflict");
    expect(state().topology.services[0]?.deadlineMs).toBe(7);
    await resolveConflict("theirs");
    inTab("other");
    expect(readDraft("p1")).toBeUndefined();
  });

  it("leaves the draft alone of the tab that another was made of, and has its own after a reload", async () => {
    /** As a page that is loaded has it, in a tab with the same `sessionStorage`. */
    const nextPage = async () => {
      vi.resetModules();
      return import("./draft.js");
    };
    save.mockResolvedValue({ kind: "failed", message: "no connection" });
    deadline(7);
    await flushSave();
    const duplicate = await nextPage();
    const draft = { topology: "{}", layout: emptyLayout(), revision: "r1", savedAtMs: 1, renames: [] };
    duplicate.keepDraft("p1", draft);
    duplicate.dropDraft("p1");
    expect(readDraft("p1")?.topology).toContain('"deadlineMs": 7');

    localStorage.setItem("penstock.draft.p1.other.x", JSON.stringify({ ...draft, savedAtMs: 1e15 }));
    const reloaded = await nextPage();
    reloaded.adoptDraft("p1");
    expect(reloaded.readDraft("p1")?.topology).toContain('"deadlineMs": 7');
    reloaded.dropDraft("p1");
    expect(Object.keys(localStorage)).toEqual(["penstock.draft.p1.other.x"]);
  });

  it("takes over no draft of a project whose name begins as this one's", () => {
    keepDraft("p1_2", { topology: "{}", layout: emptyLayout(), revision: "r1", savedAtMs: 1, renames: [] });
    sessionStorage.clear();
    adoptDraft("p1");
    expect(readDraft("p1")).toBeUndefined();
  });

  it("takes theirs and drops mine", async () => {
    save.mockResolvedValueOnce({ kind: "conflict", current: onDisk("r9") });
    deadline(7);
    await flushSave();
    await resolveConflict("theirs");
    expect(state().topology.services[0]?.deadlineMs).toBeUndefined();
    expect(state().revision).toBe("r9");
    expect(readDraft("p1")).toBeUndefined();
  });

  it("says what could not be read instead of showing it", () => {
    const problems = openDocument({ ...onDisk("r1"), topology: "{" });
    expect(problems.length).toBeGreaterThan(0);
    expect(state().revision).toBe("r1");
  });
});
