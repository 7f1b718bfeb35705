import type { ProjectDocument } from "@penstock/codegen/contract";
import { emptyLayout, printTopology } from "@penstock/codegen/topology";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeFiles, edited, fileStore, isDirty, openFile } from "../../kernel/files/fileStore.js";
import { guardUnsaved } from "../../kernel/files/unsaved.js";
import { patchService } from "../../kernel/document/edits/services.js";
import { closeDocument, documentStore, edit, setView, workbenchStore } from "../../kernel/document/index.js";
import { dispatch } from "../../kernel/connection/dispatch.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { adsTopology, open } from "../../testing/ads.js";
import { sourceServer, type SourceServer } from "../../testing/sourceServer.js";
import type { ToastOptions } from "../../kernel/ui/index.js";
import { follow, followOtherSaves, openedStore } from "./openProject.js";

const said = vi.hoisted(() => vi.fn<(title: string, options: ToastOptions) => void>());
vi.mock("../../kernel/ui/toast.js", () => ({ toast: said }));

const opened = () => openedStore.getState().opened.kind;

describe("leaving a project", () => {
  let server: SourceServer;
  beforeEach(async () => {
    server = sourceServer();
    said.mockReset();
    closeDocument();
    closeFiles();
    projectStore.setState({ ...closedProject, project: "p" });
    openedStore.setState({ opened: { kind: "open", project: "p" } });
    await openFile("f1");
    edited("f1", "mine\n");
    // Back to all projects.
    history.replaceState(null, "", "/");
  });
  afterEach(() => vi.unstubAllGlobals());

  it("saves the text of its handlers", async () => {
    await follow();
    expect(opened()).toBe("none");
    expect(server.text).toBe("mine\n");
    expect(fileStore.getState().buffers.size).toBe(0);
  });

  it("lets the next one be seen as a flow, whatever this one was looked at as", async () => {
    setView("threads");
    await follow();
    expect(workbenchStore.getState().view).toBe("flow");
  });

  it("stays, and says why, when a text cannot be saved", async () => {
    server.refused = "no room";
    await follow();
    expect([opened(), location.search]).toEqual(["open", "?project=p"]);
    expect(fileStore.getState().buffers.get("f1")?.text).toBe("mine\n");
    expect(said).toHaveBeenCalledExactlyOnceWith(
      "src/f1.cpp is not saved, so the project stays open",
      expect.objectContaining({ body: "no room" }),
    );
  });

  it("drops the text when that is asked for", async () => {
    server.refused = "no room";
    await follow();
    said.mock.calls[0]?.[1].action?.onSelect();
    await expect.poll(opened).toBe("none");
    expect([location.search, fileStore.getState().buffers.size]).toEqual(["", 0]);
  });

  it("lets the browser ask before text is lost, and not without", async () => {
    const stop = guardUnsaved();
    const asked = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(isDirty(fileStore.getState().buffers.get("f1")!)).toBe(true);
    expect(asked()).toBe(true);
    await follow();
    expect(asked()).toBe(false);
    stop();
  });
});

describe("a save of somebody else's", () => {
  const theirs: ProjectDocument = {
    id: "p1",
    revision: "r2",
    topology: printTopology(adsTopology()),
    layout: emptyLayout(),
    readOnly: false,
    readOnlyReason: "",
    trusted: true,
  };
  let answer: () => void;
  let stop: () => void;
  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => new Promise((resolve) => (answer = () => resolve(Response.json(theirs)))));
    open();
    projectStore.setState({ ...closedProject, project: "p1" });
    stop = followOtherSaves();
    dispatch({ type: "saved", project: "p1", revision: "r2", topologyHash: "" });
    await vi.advanceTimersByTimeAsync(400);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is shown", async () => {
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(documentStore.getState().revision).toBe("r2");
  });

  it("leaves what is drawn where theirs cannot be read, and says so", async () => {
    theirs.topology = '{ "penstock": 1,, }';
    answer();
    await vi.advanceTimersByTimeAsync(0);
    theirs.topology = printTopology(adsTopology());
    const { revision, topology } = documentStore.getState();
    expect([revision, topology.services.length]).toEqual(["r1", adsTopology().services.length]);
    expect(said).toHaveBeenLastCalledWith(
      "The project was changed elsewhere, and cannot be read now",
      expect.objectContaining({ tone: "bad" }),
    );
  });

  it("does not overwrite what was drawn while it came", async () => {
    edit("Set deadline", (model) => patchService(model, "GetAd", { deadlineMs: 7 }));
    answer();
    await vi.advanceTimersByTimeAsync(0);
    const { revision, save, topology } = documentStore.getState();
    expect([revision, save.state, topology.services[0]?.deadlineMs]).toEqual(["r1", "unsaved", 7]);
  });
});
