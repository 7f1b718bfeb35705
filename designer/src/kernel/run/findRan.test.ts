import { renderHook, waitFor } from "@testing-library/react";
import { printTopology, topologyHash, type Topology } from "@penstock/codegen/topology";
import type { BinaryStatus } from "@penstock/codegen/contract";
import { afterEach, expect, it, vi } from "vitest";
import { documentStore } from "../document/index.js";
import { closedProject, projectStore } from "../server/projectStore.js";
import { adsTopology, open } from "../../testing/ads.js";
import { useDrawnState } from "./runState.js";

afterEach(() => {
  vi.unstubAllGlobals();
  projectStore.setState(closedProject);
});

/** A server that keeps these saves, newest first; a page that another browser's run and live change come to. */
function opened(saves: Topology[], ranWith: Topology, missing = -1) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.slice(url.indexOf("/revisions")));
    const at = url.split("/revisions/")[1];
    if (at === String(missing)) return Response.json({ error: { code: "not_found" } }, { status: 404 });
    if (at === undefined)
      return Response.json(saves.map((_, index) => ({ revision: String(index), savedAtMs: 0 })));
    return Response.json({ topology: printTopology(saves[Number(at)]!) });
  });
  open();
  const binaries = [
    { binary: "ads-server", state: "running", topologyHash: topologyHash(ranWith) } as BinaryStatus,
  ];
  const hash = topologyHash(documentStore.getState().topology);
  projectStore.setState({ project: "p", topologyHash: hash, revision: "0", binaries });
  return asked;
}
const drawnWith = (change: (topology: Topology) => void): Topology => {
  const topology = structuredClone(adsTopology());
  change(topology);
  return topology;
};

it("knows a live change of another browser by the save that was run", async () => {
  const ran = drawnWith(
    ({ flows }) => void (flows[0]!.source = { ...flows[0]!.source, perSecond: 7 } as never),
  );
  const { result } = renderHook(useDrawnState);
  const asked = opened([adsTopology(), ran, adsTopology()], ran);
  await waitFor(() => expect(result.current).toBe("live"));
  expect(asked).toEqual(["/revisions", "/revisions/0", "/revisions/1"]);
});

it("looks at the others where a save is there no more", async () => {
  const ran = drawnWith(
    ({ flows }) => void (flows[0]!.source = { ...flows[0]!.source, perSecond: 8 } as never),
  );
  const { result } = renderHook(useDrawnState);
  opened([adsTopology(), ran], ran, 0);
  await waitFor(() => expect(result.current).toBe("live"));
});

it("asks once, and has to build what none of the saves ran as", async () => {
  const ran = drawnWith((topology) => void (topology.name = "other"));
  const { result } = renderHook(useDrawnState);
  const asked = opened([adsTopology()], ran);
  await waitFor(() => expect(asked).toEqual(["/revisions", "/revisions/0"]));
  projectStore.setState({ aliveAtMs: 1 });
  expect([result.current, asked.length]).toEqual(["rebuild", 2]);
});
