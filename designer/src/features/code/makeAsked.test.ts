import type { GenerateAnswer } from "@penstock/codegen/contract";
import { emptyLayout, parseTopology } from "@penstock/codegen/topology";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openCode, select, showDocument, workbenchStore } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { closeFiles, fileStore } from "../../kernel/files/fileStore.js";
import { followNode } from "./followNode.js";
import { makeAsked } from "./makeAsked.js";

const topology = parseTopology(
  JSON.stringify({
    penstock: 1,
    name: "shop",
    services: ["GetAd", "Price"].map((name) => ({ name, request: "Order", response: "Order" })),
    messages: [{ name: "Order", fields: [] }],
  }),
).topology!;

let generations = 0;
const stops: (() => void)[] = [];

beforeEach(() => {
  generations = 0;
  let made = false;
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.endsWith("/generate")) {
      generations++;
      made = true;
      const answer: GenerateAnswer = {
        ok: true,
        problems: [],
        written: ["src/services/price.cpp"],
        unchanged: 0,
        removed: [],
        milliseconds: 1,
      };
      return Response.json(answer);
    }
    const files = ["GetAd", "Price"].map((name) => ({
      id: name,
      path: `src/services/${name}.cpp`,
      node: `service:${name}`,
      owner: "user",
      written: false,
    }));
    if (url.endsWith("/files")) return Response.json(made ? files : []);
    const [, id] = /files\/(\w+)$/.exec(url)!;
    return Response.json({ id, path: `${id}.cpp`, text: "int x;\n", hash: "h", readOnly: false });
  });
  projectStore.setState({ ...closedProject, project: "p" });
  closeFiles();
  workbenchStore.setState({ codeNode: null, codeImplementation: null });
  showDocument({
    projectId: "p",
    topology,
    layout: emptyLayout(),
    revision: "r",
    readOnly: false,
    readOnlyReason: "",
  });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
});

/** As the code view does. */
function look(): void {
  stops.push(makeAsked());
  stops.push(
    fileStore.subscribe((state, before) => {
      if (state.files.length > 0 && before.files.length === 0) stops.push(followNode());
    }),
  );
}

it("makes and shows the handler of a project that was never generated when its code is asked for", async () => {
  openCode("service:Price");
  look();
  await vi.waitFor(() => expect(fileStore.getState().openId).toBe("Price"), { timeout: 100_000 });
  expect(fileStore.getState().buffers.get("Price")?.readOnly).toBe(false);
  await vi.waitFor(() => expect(fileStore.getState().making).toBe(false), { timeout: 100_000 });
  openCode("service:GetAd");
  await vi.waitFor(() => expect(fileStore.getState().openId).toBe("GetAd"), { timeout: 100_000 });
  expect(generations).toBe(1);
});

it("makes nothing where only something was selected, or of somebody else's project before the yes", async () => {
  look();
  select("service:Price");
  projectStore.setState({ trusted: false });
  let read = false;
  stops.push(fileStore.subscribe(() => (read = true)));
  openCode("service:GetAd");
  await vi.waitFor(() => expect(read).toBe(true), { timeout: 100_000 });
  projectStore.setState({ trusted: true });
  openCode("service:Price");
  await vi.waitFor(() => expect(fileStore.getState().openId).toBe("Price"), { timeout: 100_000 });
  // For the last question alone.
  expect(generations).toBe(1);
});
