import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeFiles, edited, fileStore, openFile } from "../files/fileStore.js";
import { closeDocument, setView, workbenchStore } from "../document/index.js";
import { closedProject, projectStore } from "../server/projectStore.js";
import { sourceServer, type SourceServer } from "../../testing/sourceServer.js";
import { generate, run, saveAll, stop } from "./runActions.js";

const said = vi.hoisted(() => vi.fn<(title: string, options?: object) => void>());
vi.mock("../ui/toast.js", () => ({ toast: said }));

let server: SourceServer;
beforeEach(() => {
  server = sourceServer();
  said.mockReset();
  closeDocument();
  closeFiles();
  projectStore.setState({ ...closedProject, project: "p" });
});
afterEach(() => vi.unstubAllGlobals());

it("opens the file that keeps a build from beginning and says why", async () => {
  await openFile("f1");
  edited("f1", "mine\n");
  setView("flow");
  fileStore.setState({ openId: "other" });
  server.refused = "The project has no such file";
  expect(await saveAll()).toBe(false);
  expect(said).toHaveBeenCalledExactlyOnceWith(
    "src/f1.cpp is not saved, so nothing was done",
    expect.objectContaining({ tone: "bad", body: "The project has no such file" }),
  );
  expect([workbenchStore.getState().view, fileStore.getState().openId]).toEqual(["code", "f1"]);
});

it("says nothing when all is on disk", async () => {
  await openFile("f1");
  edited("f1", "mine\n");
  expect(await saveAll()).toBe(true);
  expect(server.text).toBe("mine\n");
  expect(said).not.toHaveBeenCalled();
});

describe("while another project is opened", () => {
  const open = (project: string): void => projectStore.setState({ ...closedProject, project });
  const asked: string[] = [];
  /** Stands for a server whose answers come once the other project is open. */
  const answering = (answer: (url: string) => Response): void => {
    asked.length = 0;
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(url);
      await Promise.resolve();
      open("q");
      return answer(url);
    });
  };
  const refused = (): Response =>
    Response.json({ error: { code: "refused", message: "No", help: "" } }, { status: 409 });

  it("what was asked of the one before says nothing", async () => {
    answering(refused);
    await stop();
    expect(asked).toEqual([expect.stringContaining("/p/")]);
    expect(said).not.toHaveBeenCalled();
  });

  it("what was generated before shows nothing", async () => {
    answering(() => Response.json({ ok: false, problems: [], written: [], removed: [] }));
    await generate();
    expect(asked).toEqual([expect.stringContaining("/p/")]);
    expect(said).not.toHaveBeenCalled();
  });

  it("nothing begins there that was begun in the one before", async () => {
    await openFile("f1");
    edited("f1", "mine\n");
    const saving = run();
    open("q");
    answering(refused);
    await saving;
    expect(asked).toEqual([]);
  });
});
