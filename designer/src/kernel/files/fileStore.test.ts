import type { SourceText } from "@penstock/codegen/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closedProject, projectStore } from "../server/projectStore.js";
import {
  closeFiles,
  decide,
  edited,
  fileOfNode,
  fileStore,
  isDirty,
  loadFiles,
  openFile,
  saveFile,
  saveOpenFiles,
} from "./fileStore.js";

/** What Penstock wrote. */
const START = "start\n";
let asked: string[] = [];

/** A server with two files and hashes that count the saves. */
function fakeServer() {
  const files = new Map<string, { text: string; version: number }>([
    ["f1", { text: "one\n", version: 1 }],
    ["f2", { text: "two\n", version: 1 }],
  ]);
  const answer = (id: string): SourceText => ({
    id,
    path: `src/${id}.cpp`,
    text: files.get(id)!.text,
    hash: `h${files.get(id)!.version}`,
    readOnly: false,
  });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push(`${init.method} ${url.split("/").at(-1)}`);
    if (url.endsWith("/files"))
      return Response.json([...files.keys()].map((id) => sourceOf(id, "user", `src/${id}.cpp`)));
    const id = url.split("/").at(-1)!;
    const headers = init.headers as Record<string, string>;
    if (init.method === "GET") return Response.json(answer(id));
    const file = files.get(id)!;
    if (headers["if-match"] !== `"h${file.version}"`)
      return Response.json(
        { error: { code: "conflict", message: "changed", help: "" }, ...answer(id) },
        { status: 409 },
      );
    files.set(id, {
      text: (JSON.parse(init.body as string) as { text: string }).text,
      version: file.version + 1,
    });
    return Response.json({ ...answer(id), written: files.get(id)!.text !== START });
  });
  return files;
}
const sourceOf = (id: string, owner: "user" | "generated", path: string, implementation?: string) => ({
  id,
  owner,
  path,
  node: "service:P",
  written: true,
  ...(implementation ? { implementation } : {}),
});
const buffer = (id: string) => fileStore.getState().buffers.get(id)!;

describe("files in the code view", () => {
  let files: ReturnType<typeof fakeServer>;
  beforeEach(() => {
    files = fakeServer();
    projectStore.setState({ ...closedProject, project: "p" });
    closeFiles();
  });
  afterEach(() => vi.unstubAllGlobals());

  it("keeps unsaved text when another file is shown and back", async () => {
    await openFile("f1");
    edited("f1", "one changed\n");
    await openFile("f2");
    expect(isDirty(buffer("f1"))).toBe(true);
    await openFile("f1");
    expect(buffer("f1").text).toBe("one changed\n");
    expect(isDirty(buffer("f2"))).toBe(false);
  });

  it("saves against the version it was read from", async () => {
    await openFile("f1");
    edited("f1", "mine\n");
    expect(await saveFile("f1")).toBe(true);
    expect(isDirty(buffer("f1"))).toBe(false);
    expect(files.get("f1")).toEqual({ text: "mine\n", version: 2 });
    edited("f1", "again\n");
    expect(await saveFile("f1")).toBe(true);
  });

  it("asks for no list after a save, but where a text is again what Penstock wrote", async () => {
    const written = () => fileStore.getState().files.map((file) => file.written);
    await loadFiles();
    await openFile("f1");
    fileStore.setState(({ files }) => ({ files: files.map((file) => ({ ...file, written: false })) }));
    const before = fileStore.getState().files;
    edited("f1", "mine\n");
    asked = [];
    await saveFile("f1");
    expect([asked, written()]).toEqual([["PUT f1"], [true, false]]);
    // Who follows the list looks at the code anew.
    expect(fileStore.getState().files).not.toBe(before);
    edited("f1", START);
    asked = [];
    await saveFile("f1");
    expect(asked).toEqual(["PUT f1", "GET files"]);
  });

  it("asks again for a list that was on its way while a file was saved", async () => {
    await loadFiles();
    await openFile("f1");
    edited("f1", "mine\n");
    asked = [];
    const listed = loadFiles();
    await saveFile("f1");
    await listed;
    expect(asked.filter((one) => one === "GET files")).toHaveLength(2);
  });

  it("keeps both versions on a conflict until somebody decides (row 71)", async () => {
    await openFile("f1");
    edited("f1", "mine\n");
    files.set("f1", { text: "theirs\n", version: 5 });
    expect(await saveFile("f1")).toBe(false);
    expect(buffer("f1")).toMatchObject({ text: "mine\n", theirs: { text: "theirs\n" } });
    expect(files.get("f1")?.text).toBe("theirs\n");
    await decide("f1", "mine");
    expect(files.get("f1")?.text).toBe("mine\n");
    expect(buffer("f1").theirs).toBeNull();
  });

  it("shows theirs when they win", async () => {
    await openFile("f1");
    edited("f1", "mine\n");
    files.set("f1", { text: "theirs\n", version: 5 });
    await saveFile("f1");
    const { epoch } = buffer("f1");
    await decide("f1", "theirs");
    expect(buffer("f1")).toMatchObject({ text: "theirs\n", theirs: null, epoch: epoch + 1 });
  });

  it("says no to a build when a file could not be saved", async () => {
    await openFile("f1");
    await openFile("f2");
    edited("f1", "a\n");
    edited("f2", "b\n");
    files.set("f2", { text: "theirs\n", version: 9 });
    expect(await saveOpenFiles()).toBe(false);
    expect(files.get("f1")?.text).toBe("a\n");
  });

  it("waits for a save that goes on, and saves what was typed meanwhile", async () => {
    await openFile("f1");
    edited("f1", "first\n");
    const byKey = saveFile("f1");
    edited("f1", "second\n");
    expect(await saveOpenFiles()).toBe(true);
    expect(files.get("f1")).toEqual({ text: "second\n", version: 3 });
    expect(await byKey).toBe(true);
  });

  it("forgets a file that a generation has moved, but no unsaved text", async () => {
    await openFile("f2");
    edited("f2", "mine\n");
    await openFile("f1");
    await loadFiles();
    expect([...fileStore.getState().buffers.keys()]).toEqual(["f2", "f1"]);
    files.clear();
    await loadFiles();
    expect([...fileStore.getState().buffers.keys()]).toEqual(["f2"]);
    expect(fileStore.getState().openId).toBeNull();
  });

  it("takes the user's source for a node, of the implementation asked for", () => {
    const list = [
      sourceOf("g", "generated", "generated/p.hpp"),
      sourceOf("a", "user", "src/a.cpp", "A"),
      sourceOf("b", "user", "src/b.cpp", "B"),
    ];
    expect(fileOfNode(list, "service:P", "B")?.id).toBe("b");
    expect(fileOfNode(list, "service:P")?.id).toBe("a");
    expect(fileOfNode(list, "service:X")).toBeUndefined();
  });
});
