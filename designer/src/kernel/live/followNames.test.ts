import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import type { Placement } from "@penstock/codegen/topology";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentStore, edit, undo } from "../document/index.js";
import { place } from "../document/edits/binaries.js";
import { rename } from "../document/edits/rename.js";
import { closedProject, projectStore } from "../server/projectStore.js";
import { adsTopology, open } from "../../testing/ads.js";
import { threadsOf } from "../../testing/schemaOf.js";
import { followNames } from "./followNames.js";
import {
  asRunning,
  drawnName,
  findTrack,
  liveStore,
  resetLive,
  takeSample,
  takeSchema,
  trackOfService,
} from "./liveStore.js";

const hash = "sha256:1";
const schema = {
  type: "schema",
  binary: "ads-server",
  pid: 1,
  topologyHash: hash,
  services: [{ id: 0, name: "GetAd", kind: "simple", pool: 0, implementations: [], written: true }],
  calls: [{ id: 0, from: 0, to: 0 }],
  flows: [
    {
      id: 0,
      name: "Impressions",
      source: { kind: "rate", perSecond: 1 },
      stages: [{ id: "pick", service: 0, role: "map", pool: 0 }],
    },
  ],
  pools: [{ id: 0, name: "front", queue: 1, overflow: "block", idle: "park", priority: 0, threads: [] }],
} as unknown as LiveSchema;
const sample = (t: number): LiveSample => ({
  type: "sample",
  t,
  seq: t,
  services: [[0, t / 10, 0, 0, 0, 1, 2, 3, 4]],
  implementations: [],
  calls: [[0, t / 10, 0]],
  flows: [[0, t / 10, t / 10, 0, 0, 0, 1, 2, 3, 4]],
  stages: [[0, 0, t / 10, 0, 1, 2, 3, 4]],
  pools: [[0, 7, 0, 0, 0]],
  threads: [],
  process: { cpuNs: 0, rssBytes: 0, threads: 1 },
});

let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  resetLive();
  stop = followNames();
  open();
  projectStore.setState({ ...closedProject, project: "p1", topologyHash: hash, revision: "r1" });
  takeSchema(schema);
  for (const t of [0, 1000, 2000]) takeSample("ads-server", sample(t));
});
afterEach(() => {
  stop();
  // The next picture is not waited for beyond its test.
  vi.advanceTimersByTime(20);
  vi.useRealTimers();
});

const rates = (service: string) => {
  const track = trackOfService(service);
  const flow = [...(track?.flows.values() ?? [])][0]?.figures;
  return [
    track?.services.get(service)?.figures.rate,
    flow?.stages[0]?.service,
    track?.calls.get(`${service}>${service}`)?.rate,
    track?.services.get(service)?.series?.rate.length,
  ];
};

it("keeps the figures of what is renamed while it runs, its curves too, and through undo", () => {
  const before = rates("GetAd");
  expect(before.slice(0, 3)).toEqual([100, "GetAd", 100]);
  rename("service:GetAd", "PickAd");
  rename("flow:Impressions", "Views");
  expect(trackOfService("GetAd")).toBeUndefined();
  expect(rates("PickAd")).toEqual([100, "PickAd", 100, before[3]]);
  expect(findTrack("ads-server")?.flows.get("Views")?.figures.flow).toBe("Views");
  takeSample("ads-server", sample(3000));
  expect(rates("PickAd")[0]).toBe(100);
  // A new schema frame, as after a change of threads, has the old names again.
  takeSchema({ ...schema });
  expect(rates("PickAd")[0]).toBe(100);
  undo();
  undo();
  expect(rates("GetAd")).toEqual(before);
});

it("asks a renamed binary about a renamed pool by the names that it knows", () => {
  rename("pool:ads-server/front", "edge");
  rename("binary:ads-server", "server");
  expect(findTrack("server")?.pools.get("edge")?.figures.queued).toBe(7);
  expect(asRunning("server", { pool: "edge", threads: 2 })).toEqual({
    binary: "ads-server",
    params: { pool: "front", threads: 2 },
  });
});

it("asks by those names, too, where it is called by the one that it runs by", () => {
  rename("binary:ads-server", "server");
  rename("pool:server/front", "edge");
  expect(drawnName("ads-server")).toBe("server");
  expect(drawnName("server")).toBe("server");
  expect(asRunning("ads-server", { pool: "edge", threads: 2 })?.params).toEqual({
    pool: "front",
    threads: 2,
  });
});

/** Another binary, as one is drawn beside those there are. */
const drawAnother = (name: string) =>
  edit("Add", ({ topology, layout }) => ({
    topology: {
      ...topology,
      binaries: [...topology.binaries, { ...topology.binaries[0]!, name, bundles: [], pools: [] }],
    },
    layout,
  }));

it("knows nothing of a binary that is drawn anew under the name by which a renamed one runs", () => {
  rename("pool:ads-server/front", "edge");
  rename("binary:ads-server", "server");
  drawAnother("ads-server");
  expect(findTrack("ads-server")).toBeUndefined();
  expect(asRunning("ads-server", { pool: "edge", threads: 2 })).toBeUndefined();
  expect(findTrack("server")?.pools.get("edge")?.figures.queued).toBe(7);
  expect(asRunning("server", { pool: "edge", threads: 2 })).toEqual({
    binary: "ads-server",
    params: { pool: "front", threads: 2 },
  });
  expect(drawnName("ads-server")).toBe("server");
});

it("tells two binaries apart that have exchanged their names", () => {
  takeSchema({ ...schema, binary: "other", pid: 2 });
  drawAnother("other");
  rename("binary:other", "between");
  rename("binary:ads-server", "other");
  rename("binary:between", "ads-server");
  expect(["ads-server", "other"].map((name) => findTrack(name)?.binary)).toEqual(["other", "ads-server"]);
});

it("does not follow a name of another project, nor one that the running model has by itself", () => {
  rename("service:GetAd", "PickAd");
  takeSchema({ ...schema, pid: 2, topologyHash: "sha256:other" });
  takeSample("ads-server", sample(4000));
  expect(trackOfService("GetAd")).toBeDefined();
  projectStore.setState({ project: "p2" });
  takeSchema({ ...schema, pid: 3 });
  expect(trackOfService("GetAd")).toBeDefined();
});

describe("what is placed on one thread of a pool", () => {
  const pools = [
    { id: 0, name: "models", queue: 900, threads: threadsOf(3) },
  ] as unknown as LiveSchema["pools"];
  const built = (topologyHash: string): LiveSchema => ({ ...schema, pid: 2, topologyHash, pools, flows: [] });
  /** Eight seconds in which the last of the three threads has more calls than it can take. */
  const runs = () => {
    for (let at = 0; at <= 8; at++) {
      const t = at * 1000;
      takeSample("ads-server", {
        ...sample(t),
        flows: [],
        stages: [],
        pools: [[0, 20 * at, 1, 3, 0]],
        threads: [0, 0, 1].map((share, index) => [0, index, share * t * 1e6, 0, 0, 0, 0]),
      });
      vi.advanceTimersByTime(1000);
    }
    return liveStore.getState().bottlenecks;
  };
  const drawnOn = (placement: Placement, revision: string, topologyHash: string): void => {
    const topology = adsTopology();
    topology.binaries[0]!.placement["GetAd"] = placement;
    open(topology);
    documentStore.setState({ revision });
    projectStore.setState({ topologyHash, revision });
  };
  beforeEach(resetLive);

  it("is known by the drawing that the binary was built from, whatever is drawn and called since", () => {
    drawnOn({ pool: "models", thread: 2 }, "r2", "sha256:2");
    takeSchema(built("sha256:2"));
    edit("Place", (model) => place(model, "ads-server", "GetAd", { thread: 1 }));
    rename("service:GetAd", "PickAd");
    rename("pool:ads-server/models", "edge");
    expect(runs()).toMatchObject([
      { binary: "ads-server", pool: "edge", thread: 2, place: { service: "PickAd" } },
    ]);
  });

  it("is as drawn now where this page has not seen that drawing", () => {
    drawnOn({ pool: "models", thread: 2 }, "r3", "sha256:3");
    takeSchema(built("sha256:unseen"));
    rename("service:GetAd", "PickAd");
    rename("binary:ads-server", "server");
    expect(runs()).toMatchObject([{ pool: "models", thread: 2, services: ["PickAd"] }]);
    edit("Place", (model) => place(model, "server", "PickAd", { thread: 1 }));
    expect(runs()).toEqual([]);
  });
});
