import type { SourceFile, SourceText } from "@penstock/codegen/contract";
import { emptyLayout, parseTopology, type Topology } from "@penstock/codegen/topology";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCode, select, showDocument, workbenchStore } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { closeFiles, fileStore, loadFiles } from "../../kernel/files/fileStore.js";
import { followNode } from "./followNode.js";

const drawing = (...names: string[]): Topology =>
  parseTopology(
    JSON.stringify({
      penstock: 1,
      name: "shop",
      services: names.map((name) => ({ name, request: "Order", response: "Order" })),
      messages: [{ name: "Order", fields: [] }],
    }),
  ).topology!;

const fileOf = (service: string): SourceFile => ({
  id: service,
  path: `src/services/${service.toLowerCase()}.cpp`,
  node: `service:${service}`,
  owner: "user",
  written: true,
});

/** A server with these files, whose answer to a question about one waits until it is told to come. */
function fakeServer(files: SourceFile[]) {
  const held = new Map<string, () => void>();
  const holds = new Set<string>();
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.endsWith("/files")) return Response.json(files);
    const file = files.find(({ id }) => url.endsWith(`/${id}`))!;
    if (holds.has(file.id)) await new Promise<void>((resolve) => held.set(file.id, resolve));
    const text: SourceText = { id: file.id, path: file.path, text: "int x;\n", hash: "h", readOnly: false };
    return Response.json(text);
  });
  return {
    hold: (id: string) => holds.add(id),
    isAsked: (id: string) => held.has(id),
    answer: (id: string) => held.get(id)!(),
  };
}

const shown = () => fileStore.getState().openId;
let stop = () => {};

async function open(services: string[], files: SourceFile[]) {
  const server = fakeServer(files);
  showDocument({
    projectId: "p",
    topology: drawing(...services),
    layout: emptyLayout(),
    revision: "r",
    readOnly: false,
    readOnlyReason: "",
  });
  await loadFiles();
  stop = followNode();
  return server;
}

describe("the code view", () => {
  beforeEach(() => {
    projectStore.setState({ ...closedProject, project: "p" });
    closeFiles();
    workbenchStore.setState({ codeNode: null, codeImplementation: null });
  });
  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
  });

  it("shows no other handler for a service that has none yet", async () => {
    await open(["GetAd", "Price"], [fileOf("GetAd")]);
    await expect.poll(shown).toBe("GetAd");
    openCode("service:Price");
    expect(shown()).toBeNull();
    expect(fileStore.getState().awaited).toEqual({ node: "service:Price", implementation: null });
  });

  it("shows what is selected when it is opened again, not what was asked for once", async () => {
    await open(["GetAd", "Price"], [fileOf("GetAd"), fileOf("Price")]);
    openCode("service:Price");
    await expect.poll(shown).toBe("Price");
    stop();
    select("service:GetAd");
    stop = followNode();
    await expect.poll(shown).toBe("GetAd");
    // Of another project, or deleted since.
    workbenchStore.setState({ codeNode: "service:Gone" });
    stop();
    stop = followNode();
    expect(fileStore.getState().awaited).toBeNull();
    expect(shown()).toBe("GetAd");
  });

  it("opens the handler it waits for as soon as that is made", async () => {
    const files = [fileOf("GetAd")];
    await open(["GetAd", "Price"], files);
    select("service:Price");
    expect(fileStore.getState().awaited?.node).toBe("service:Price");
    files.push(fileOf("Price"));
    await loadFiles();
    await expect.poll(shown).toBe("Price");
    expect(fileStore.getState().awaited).toBeNull();
  });

  it("is not changed by the late answer to an older question", async () => {
    const server = await open(["GetAd", "Price"], [fileOf("GetAd")]);
    await expect.poll(shown).toBe("GetAd");
    server.hold("GetAd");
    closeFiles();
    await loadFiles();
    select("service:GetAd");
    await expect.poll(() => server.isAsked("GetAd")).toBe(true);
    select("service:Price");
    server.answer("GetAd");
    await expect.poll(() => fileStore.getState().buffers.has("GetAd")).toBe(true);
    expect([shown(), fileStore.getState().awaited?.node]).toEqual([null, "service:Price"]);
  });
});
