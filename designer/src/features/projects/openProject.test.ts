import type { ProjectDocument } from "@penstock/codegen/contract";
import { emptyLayout } from "@penstock/codegen/topology";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeFiles, edited, fileStore, isDirty, openFile } from "../../kernel/files/fileStore.js";
import { guardUnsaved } from "../../kernel/files/unsaved.js";
import { closeDocument, documentStore, setView, workbenchStore } from "../../kernel/document/index.js";
import { keepDraft, setDraftAside } from "../../kernel/document/draft.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { sourceServer, type SourceServer } from "../../testing/sourceServer.js";
import type { ToastOptions } from "../../kernel/ui/index.js";
import { follow, openedStore, sayLost } from "./openProject.js";

const said = vi.hoisted(() => vi.fn<(title: string, options: ToastOptions) => void>());
const unsaid = vi.hoisted(() => vi.fn<() => void>());
vi.mock("../../kernel/ui/toast.js", () => ({ toast: said, dismissToasts: unsaid }));

const opened = () => openedStore.getState().opened.kind;

describe("leaving a project", () => {
  let server: SourceServer;
  beforeEach(async () => {
    server = sourceServer();
    said.mockReset();
    unsaid.mockReset();
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

  it("takes back what was said of it", async () => {
    await follow();
    expect(unsaid).not.toHaveBeenCalled();
    documentStore.setState({ projectId: "p" });
    await follow();
    expect(unsaid).toHaveBeenCalledOnce();
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

it("says that unsaved changes cannot be read, each time until they are downloaded", () => {
  said.mockReset();
  const opened = { id: "p9" } as ProjectDocument;
  sayLost(opened);
  expect(said).not.toHaveBeenCalled();
  keepDraft("p9", { topology: "{", layout: emptyLayout(), revision: "", savedAtMs: 1, renames: [] });
  setDraftAside("p9");
  const files: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    files.push(this.download);
  });
  vi.stubGlobal("URL", { createObjectURL: () => "blob:", revokeObjectURL: () => undefined });
  sayLost(opened);
  sayLost(opened);
  expect(said.mock.calls.map(([title]) => title)).toEqual(Array(2).fill("Unsaved changes cannot be read"));
  said.mock.calls[1]?.[1].action?.onSelect();
  expect(files).toEqual(["p9.unsaved.json"]);
  sayLost(opened);
  expect(said).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
