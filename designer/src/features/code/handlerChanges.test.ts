import type { HandlersAnswer } from "@penstock/codegen/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { problemStore } from "../../kernel/problems/problemStore.js";
import { codeFixes, applyHandlerChanges, followHandlerChanges, handlerStore } from "./handlerChanges.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { adsTopology } from "../../testing/ads.js";
import { closeFiles, fileStore, loadFiles, openFile } from "../../kernel/files/fileStore.js";

const said = vi.hoisted(() => vi.fn<(title: string, options?: object) => void>());
vi.mock("../../kernel/ui/toast.js", () => ({ toast: said }));

const path = "src/services/get_ad.cpp";
const stale: HandlersAnswer = {
  problems: [
    {
      code: "PS710",
      severity: "warning",
      message: "calls Price",
      pointer: "",
      help: "",
      file: path,
      line: 1,
    },
  ],
  changes: [
    {
      id: "f1",
      path,
      hash: "h1",
      text: "calls.Cost\n",
      lines: [{ line: 1, before: "calls.Price", after: "calls.Cost" }],
    },
  ],
};
let disk: string;
let answer: HandlersAnswer;
let stop: () => void;

beforeEach(() => {
  disk = "calls.Price\n";
  answer = { problems: [], changes: [] };
  said.mockReset();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (url.endsWith("/handlers")) return Response.json(answer);
    const file = { id: "f1", path, node: "service:GetAd", owner: "user", written: true };
    if (url.endsWith("/files")) return Response.json([file]);
    const hash = `h${disk === "calls.Price\n" ? 1 : 2}`;
    if (init.method === "PUT") {
      const headers = init.headers as Record<string, string>;
      if (headers["if-match"] !== `"${hash}"`)
        return Response.json({ error: { code: "conflict", message: "changed", help: "" } }, { status: 409 });
      disk = (JSON.parse(init.body as string) as { text: string }).text;
      answer = { problems: [], changes: [] };
    }
    return Response.json({ id: "f1", path, text: disk, hash: disk, readOnly: false });
  });
  projectStore.setState({ ...closedProject, project: "p" });
  closeFiles();
  stop = followHandlerChanges();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** A look at the files, and at what they name. */
async function look(): Promise<void> {
  await loadFiles();
  await expect.poll(() => handlerStore.getState()).toMatchObject({ project: "p", changes: answer.changes });
}

it("offers the patch once code has come to name what is not drawn", async () => {
  await look();
  expect(said).not.toHaveBeenCalled();
  answer = stale;
  await look();
  expect(said).toHaveBeenCalledExactlyOnceWith(
    "Your code names what is not drawn",
    expect.objectContaining({ body: `${path} can follow the drawing.` }),
  );
  const [problem] = problemStore.getState().all;
  expect(problem).toEqual(stale.problems[0]);
  expect(codeFixes(problem!, adsTopology()).map(({ label }) => label)).toEqual(["Change the code…"]);
  await look();
  expect(said).toHaveBeenCalledOnce();
});

it("offers nothing when a project is opened: the problems say it", async () => {
  answer = stale;
  await look();
  expect(said).not.toHaveBeenCalled();
  expect(problemStore.getState().all).toEqual(stale.problems);
});

it("writes what was shown, and shows it in the editor", async () => {
  answer = stale;
  await look();
  await openFile("f1");
  await applyHandlerChanges(new Set(["f1"]));
  expect(disk).toBe("calls.Cost\n");
  expect(fileStore.getState().buffers.get("f1")?.text).toBe("calls.Cost\n");
  await expect.poll(() => problemStore.getState().all).toEqual([]);
});

it("leaves a file alone that has changed since", async () => {
  answer = stale;
  await look();
  disk = "mine\n";
  await applyHandlerChanges(new Set(["f1"]));
  expect(disk).toBe("mine\n");
  expect(said).toHaveBeenCalledWith("Not all files were changed", expect.objectContaining({ tone: "bad" }));
});
