import type { ProjectDocument } from "@penstock/codegen/contract";
import { emptyLayout, printTopology } from "@penstock/codegen/topology";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeDocument, documentStore } from "../../kernel/document/index.js";
import { closeFiles, fileStore } from "../../kernel/files/fileStore.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { adsTopology } from "../../testing/ads.js";
import { toast as say } from "../../kernel/ui/toast.js";
import { follow, goTo, openedStore, type Opened } from "./openProject.js";

vi.mock("../../kernel/ui/toast.js", () => ({ toast: vi.fn<() => void>() }));
const toast = vi.mocked(say);

const document: ProjectDocument = {
  id: "p1",
  revision: "r1",
  topology: printTopology(adsTopology()),
  layout: emptyLayout(),
  readOnly: false,
  readOnlyReason: "",
  trusted: true,
};
const opened = (): Opened => openedStore.getState().opened;
/** Each request for the project, to be answered by hand. */
let asked: ((answer: Response | Error) => void)[];
const answerAll = () =>
  vi.stubGlobal("fetch", async (path: string) =>
    path.endsWith("/nodes") ? Response.json({ nodes: [], problems: [] }) : Response.json(document),
  );

beforeEach(() => {
  asked = [];
  toast.mockClear();
  vi.stubGlobal("fetch", (path: string) =>
    path.endsWith("/p1")
      ? new Promise((resolve, reject) => {
          asked.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
        })
      : Promise.resolve(Response.json({ nodes: [], problems: [] })),
  );
  vi.spyOn(console, "error").mockReturnValue();
  closeDocument();
  closeFiles();
  projectStore.setState(closedProject);
  history.replaceState(null, "", "/?project=p1");
  openedStore.setState({ opened: { kind: "loading", project: "p1" } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  history.replaceState(null, "", "/");
});

const answers: [string, () => Response | Error][] = [
  ["none", () => new TypeError("Failed to fetch")],
  ["a fault of the server", () => new Response("", { status: 500 })],
  ["nothing", () => new Response("")],
  ["another program's page", () => new Response("<html></html>")],
  ["another form", () => Response.json({ id: "p1" })],
];
it.each(answers)(
  "does not stay at Opening when the answer is %s, and opens when asked again",
  async (_, bad) => {
    const end = follow();
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.(bad());
    await end;
    const now = opened();
    expect(now.kind).toBe("failed");
    if (now.kind === "failed")
      expect([now.message, now.help]).toEqual([expect.any(String), expect.any(String)]);
    answerAll();
    await follow();
    expect(opened()).toEqual({ kind: "open", project: "p1" });
  },
);

it("does not stay at Opening when a part of the page cannot take the drawing, and says why", async () => {
  answerAll();
  const stop = documentStore.subscribe(() => {
    throw new Error("no room for it");
  });
  await follow();
  stop();
  expect(opened()).toEqual({
    kind: "failed",
    project: "p1",
    message: "The page could not show it: no room for it",
    help: "Nothing of the project was changed. Try again, or reload the page.",
  });
});

it("does not stay at Opening when what was open before cannot be left", async () => {
  answerAll();
  fileStore.setState({ error: "of before" });
  const stop = fileStore.subscribe(() => {
    throw new Error("a full disk");
  });
  await follow();
  stop();
  expect(opened().kind).toBe("failed");
});

it("shows all projects when the one before cannot be left as it should be, and says so", async () => {
  history.replaceState(null, "", "/");
  fileStore.setState({ error: "of before" });
  const stop = fileStore.subscribe(() => {
    throw new Error("a full disk");
  });
  await follow();
  stop();
  expect(opened().kind).toBe("none");
  expect(toast).toHaveBeenCalledExactlyOnceWith("The project was not closed as it should be", {
    tone: "bad",
    body: "a full disk",
  });
});

it("leaves it to the later one when the address changes while the one before cannot be left", async () => {
  answerAll();
  fileStore.setState({ error: "of before" });
  const stop = fileStore.subscribe(() => {
    stop();
    history.replaceState(null, "", "/?project=p2");
    throw new Error("a full disk");
  });
  await follow();
  expect(opened()).toEqual({ kind: "loading", project: "p1" });
});

it("takes the answer of the last attempt, whatever becomes of the one before", async () => {
  const first = follow();
  await expect.poll(() => asked.length).toBe(1);
  const second = follow();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.(Response.json(document));
  await second;
  asked[0]?.(new TypeError("aborted"));
  await first;
  expect(opened()).toEqual({ kind: "open", project: "p1" });
});

it("says nothing of a project that somebody no longer waits for", async () => {
  const first = follow();
  await expect.poll(() => asked.length).toBe(1);
  goTo(null);
  await expect.poll(() => opened().kind).toBe("none");
  asked[0]?.(new TypeError("Failed to fetch"));
  await first;
  expect(opened().kind).toBe("none");
});
