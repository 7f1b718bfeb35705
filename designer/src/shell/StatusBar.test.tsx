import { threadList, topologyHash } from "@penstock/codegen/topology";
import type { BinaryStatus } from "@penstock/codegen/contract";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { resetLive, takeLost, takeSample, takeSchema } from "../kernel/live/liveStore.js";
import { addMessage } from "../kernel/document/edits/messages.js";
import { documentStore, edit } from "../kernel/document/index.js";
import { closedProject, projectStore } from "../kernel/server/projectStore.js";
import { adsTopology, open } from "../testing/ads.js";
import { sampleOf } from "../testing/sampleOf.js";
import { schemaOf } from "../testing/schemaOf.js";
import { StatusBar } from "./StatusBar.js";

beforeEach(resetLive);
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it("says how much memory all binaries hold together, while any runs", () => {
  render(<StatusBar />);
  expect(screen.queryByText(/^RSS/)).toBeNull();
  cleanup();
  const runs = (binary: string, rssBytes: number): void => {
    takeSchema(schemaOf({ binary }));
    takeSample(binary, sampleOf(1000, { process: { cpuNs: 0, rssBytes, threads: 1 } }));
  };
  runs("front", 8_000_000);
  runs("far", 12_000_000);
  render(<StatusBar />);
  expect(screen.getByText(/^RSS/).textContent).toBe("RSS 20 MB");
  cleanup();
  takeLost("far");
  render(<StatusBar />);
  expect(screen.getByText(/^RSS/).textContent).toBe("RSS 8.0 MB");
});

it("compares what runs with what is drawn at any moment of an edit, its save and the server's word of it", () => {
  open();
  const before = topologyHash(documentStore.getState().topology);
  const binaries = [{ binary: "ads-server", state: "running", topologyHash: before } as BinaryStatus];
  projectStore.setState({ project: "p1", topologyHash: before, revision: "r1", binaries });
  render(<StatusBar />);
  const short = (hash: string): string => hash.replace("sha256:", "").slice(0, 7);
  const says = (): string => screen.getByText(/^model/).textContent;
  expect(says()).toBe(`model ${short(before)} = running`);
  act(() => {
    edit("Move", (model) => ({ ...model, layout: { ...model.layout, nodes: {} } }));
  });
  expect(says()).toBe(`model ${short(before)} = running`);

  act(() => {
    edit("Add", (model) => addMessage(model, "Order"));
  });
  const after = topologyHash(documentStore.getState().topology);
  const modified = `model ${short(after)} modified since run (${short(before)})`;
  expect(says()).toBe(modified);
  act(() => documentStore.setState({ revision: "r2", save: { state: "saved", message: "" } }));
  expect(says()).toBe(modified);
  act(() => projectStore.setState({ revision: "r2", topologyHash: after }));
  expect(says()).toBe(modified);
});

it("does not call the same what runs with a number of threads that is not drawn", () => {
  const topology = adsTopology();
  topology.flows = topology.bundles[0]!.flows = [];
  open(topology);
  const hash = topologyHash(documentStore.getState().topology);
  const binaries = [{ binary: "ads-server", state: "running", topologyHash: hash } as BinaryStatus];
  projectStore.setState({ project: "p", topologyHash: hash, revision: "0", binaries });
  const drawn = documentStore.getState().topology.binaries[0]!.pools;
  const says = (models: number): string => {
    const pools = drawn.map(({ name, threads }, id) => {
      const asked = threadList(threads).slice(0, name === "models" ? models : undefined);
      return {
        id,
        name,
        queue: 1024,
        threads: asked.map(({ cpus = [] }, tid) => ({ name: "", tid, asked: cpus, actual: cpus })),
      };
    });
    takeSchema(schemaOf({ pools }));
    takeSample("ads-server", sampleOf(1000));
    render(<StatusBar />);
    const { textContent } = screen.getByText(/^model/);
    cleanup();
    return textContent.replace(/[0-9a-f]{7}/, "HASH");
  };
  expect([says(3), says(2)]).toEqual(["model HASH = running", "model HASH = running + live changes"]);
});
