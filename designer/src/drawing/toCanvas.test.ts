import { describe, expect, it } from "vitest";
import type { Topology } from "@penstock/codegen/topology";
import { adsTopology, modelOf } from "../testing/ads.js";
import { twoBinaries, twoBinariesLayout } from "../testing/twoBinaries.js";
import { patchService } from "../kernel/document/edits/services.js";
import type { Box } from "./geometry/box.js";
import { canvasBoxes } from "./geometry/boxes.js";
import { stableNodes, withDragged, withTarget } from "./stableNodes.js";
import { toCanvasEdges } from "./toCanvasEdges.js";
import { toCanvasNodes, type ServiceNode } from "./toCanvasNodes.js";

const layout = { penstock: 1 as const, nodes: {} };
const nodes = (topology = adsTopology()) => toCanvasNodes(topology, layout, []);

const chip = (id: string, topology = adsTopology()) =>
  (nodes(topology).find((node) => node.id === id) as ServiceNode).data.chip?.label;

describe("the topology as nodes", () => {
  it("draws a service that is a stage once, as the stage, and bundles before what is in them", () => {
    expect(nodes().map((node) => node.id)).toEqual([
      "bundle:AdBundle",
      "flow:Impressions",
      "stage:Impressions/pick",
      "stage:Impressions/log",
      "stage:Impressions/oops",
      "service:ProduceAd",
    ]);
  });

  it("says where a service is asked over HTTP", () => {
    const topology = adsTopology();
    topology.binaries[0]!.expose = ["GetAd"];
    const exposed = () =>
      nodes(topology)
        .map((node) => [node.id, (node as ServiceNode).data.exposure] as const)
        .filter(([, exposure]) => exposure !== undefined);
    const route = `POST /twirp/${topology.name}.AdBundle/GetAd`;
    expect(exposed()).toEqual([["stage:Impressions/pick", { text: route, reach: "here" }]]);
    topology.binaries[0]!.http = { address: "0.0.0.0:8080", auth: "bearer", tls: "keys" };
    expect(exposed()).toMatchObject([
      ["stage:Impressions/pick", { text: expect.stringContaining(`${route}\nOther`), reach: "secured" }],
    ]);
    topology.binaries[0]!.http = { address: "0.0.0.0:8080", auth: "bearer", tls: "off" };
    expect(exposed()).toMatchObject([["stage:Impressions/pick", { reach: "open" }]]);
  });

  it("draws a service used by two stages twice", () => {
    const topology = adsTopology();
    topology.flows[0]?.stages.push({ id: "again", service: "LogAd", role: "side-effect" });
    const ids = nodes(topology).map((node) => node.id);
    expect(ids).toContain("stage:Impressions/log");
    expect(ids).toContain("stage:Impressions/again");
  });

  it("gives every node its size and handles, so that nothing is measured", () => {
    const bare = nodes().filter((node) => node.type !== "bundle" && !node.handles?.length);
    expect(bare).toEqual([]);
    expect(nodes().map((node) => node.measured)).toEqual(
      nodes().map(({ width, height }) => ({ width, height })),
    );
  });

  it("keeps nodes inside the border of their bundle, relative to it", () => {
    const [bundle, ...inside] = nodes();
    for (const node of inside) {
      expect(node.parentId).toBe("bundle:AdBundle");
      expect(node.position.x).toBeGreaterThan(0);
      expect(node.position.y).toBeGreaterThan(0);
      expect(node.position.x + (node.width ?? 0)).toBeLessThan(bundle?.width ?? 0);
      expect(node.position.y + (node.height ?? 0)).toBeLessThan(bundle?.height ?? 0);
    }
  });

  /** Those that lie through one another. */
  const covered = (boxes: [string, Box][]) =>
    boxes.flatMap(([id, a]) =>
      boxes.filter(([other, b]) => {
        const apart =
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        return other !== id && !apart;
      }),
    );

  it("covers no node with another where nobody placed them", () => {
    const boxes = [...canvasBoxes(adsTopology(), layout)].filter(([id]) => !id.startsWith("bundle:"));
    expect(covered(boxes)).toEqual([]);
  });

  it("covers no bundle with another that came in one go, beside what was there", () => {
    const topology = adsTopology();
    const bundles = {
      Cart: ["Add", "Remove", "List"],
      Pay: ["Charge", "Refund"],
      Ship: ["A", "B", "C", "D", "E"],
    };
    for (const [name, services] of Object.entries(bundles)) {
      topology.services.push(
        ...services.map((service) => ({ ...topology.services[0]!, name: service, calls: [] })),
      );
      topology.bundles.push({ ...topology.bundles[0]!, name, services, flows: [] });
    }
    const boxes = [...canvasBoxes(topology, layout)];
    expect(covered(boxes.filter(([id]) => id.startsWith("bundle:")))).toEqual([]);
    expect(covered(boxes.filter(([id]) => !id.startsWith("bundle:")))).toEqual([]);
  });

  it("shows where a service runs", () => {
    expect(chip("stage:Impressions/pick")).toBe("front·0");
    expect(chip("stage:Impressions/log")).toBe("side effect");
  });

  it("tells how many threads a pool has from which one of them it is", () => {
    expect(chip("service:ProduceAd")).toBe("models ×3");
    const one = adsTopology();
    Object.assign(one.binaries[0]!.placement, {
      GetAd: { pool: "models", thread: 1 },
      ProduceAd: { pool: "models", thread: 2 },
    });
    expect(chip("service:ProduceAd", one)).toBe("models·2");
    // A join takes the whole of its pool, wherever calls to the service are placed.
    one.flows[0]!.stages[0]!.join = { pool: "models" };
    expect(chip("stage:Impressions/pick", one)).toBe("models ×3");
    const range = adsTopology();
    range.binaries[0]!.pools[1]!.threads = { from: 2, to: 32 };
    expect(chip("service:ProduceAd", range)).toBe("models ×2-32");
  });

  it("draws a stage whose service is missing, as an error to see", () => {
    const topology = adsTopology();
    topology.services = topology.services.filter((service) => service.name !== "LogAd");
    const node = nodes(topology).find((item) => item.id === "stage:Impressions/log") as ServiceNode;
    expect(node.data.missing).toBe(true);
  });

  it("keeps the identity of nodes that an edit does not touch", () => {
    const before = nodes();
    const edited = patchService(modelOf(), "LogAd", { kind: "simple" });
    const after = stableNodes(before, toCanvasNodes(edited.topology, layout, []));
    const changed = after.filter((node) => !before.includes(node)).map((node) => node.id);
    expect(changed).toEqual(["stage:Impressions/log"]);
  });

  it("moves only dragged nodes while a drag lasts", () => {
    const before = nodes();
    const during = withDragged(before, new Map([["service:ProduceAd", { x: 9, y: 9 }]]));
    expect(during.filter((node) => !before.includes(node)).map((node) => node.id)).toEqual([
      "service:ProduceAd",
    ]);
  });

  it("draws a frame for each binary of several, below all else, that no lasso picks", () => {
    const drawn = toCanvasNodes(twoBinaries(), twoBinariesLayout(), ["binary:ads-server"]);
    const frames = drawn.filter((node) => node.type === "frame");
    expect(frames.map(({ id, data }) => [id, data.hint])).toEqual([
      ["binary:ads-server", ":7400"],
      ["binary:models-server", "×2"],
    ]);
    expect(drawn.slice(0, 2)).toEqual(frames);
    // Said of none that can be: it would be, too, where nothing may be changed.
    expect(frames.filter((frame) => "draggable" in frame)).toEqual([]);
    for (const frame of frames)
      expect(frame).toMatchObject({ dragHandle: ".frame-label", selectable: false, focusable: false });
    // The selected one too, which React Flow lifts by 1000.
    expect(frames.map(({ selected, zIndex = 0 }) => zIndex + (selected ? 1000 : 0))).toEqual([-2, -2]);
  });

  it("names what serves a bundle on its label only where no frame alone says so", () => {
    const labels = (topology: Topology, places = twoBinariesLayout()) =>
      toCanvasNodes(topology, places, []).flatMap((node) =>
        node.type === "bundle" ? [[node.data.name, node.data.binaries]] : [],
      );
    const topology = twoBinaries();
    const [server, models] = topology.binaries;
    expect(labels({ ...topology, binaries: [server!] })).toEqual([
      ["AdBundle", "ads-server · :7400"],
      ["Models", "no binary"],
      ["Logs", "no binary"],
    ]);
    expect(labels(topology).map(([, binaries]) => binaries)).toEqual(["", "", ""]);
    expect(labels({ ...topology, binaries: [server!, { ...models!, bundles: ["AdBundle"] }] })[0]).toEqual([
      "AdBundle",
      "ads-server · :7400, models-server ×2",
    ]);
    // Logs lies left of all: the frame of its binary is over that of the other.
    const interleaved = twoBinariesLayout();
    interleaved.nodes["stage:Impressions/log"] = { x: -400, y: 0 };
    expect(labels(topology, interleaved)).toEqual([
      ["AdBundle", "ads-server · :7400"],
      ["Models", ""],
      ["Logs", ""],
    ]);
  });

  it("draws no frame where nothing else is drawn", () => {
    const topology = twoBinaries();
    expect(
      toCanvasNodes(
        { ...topology, services: [], flows: [], bundles: [{ name: "B", services: [], flows: [] }] },
        layout,
        [],
      ),
    ).toEqual([]);
  });

  it("marks the frame that a drag is over, and touches no other node", () => {
    const before = toCanvasNodes(twoBinaries(), twoBinariesLayout(), []);
    const during = withTarget(before, "models-server");
    const changed = during.filter((node) => !before.includes(node));
    expect(changed.map(({ id, data }) => [id, "target" in data && data.target])).toEqual([
      ["binary:models-server", true],
    ]);
  });

  // What each of them costs: features/canvas/manyNodes.test.ts counts it.
  it("maps 1,000 services", () => {
    const topology = adsTopology();
    const one = topology.services[3];
    if (!one) throw new Error("no service");
    topology.flows = [];
    topology.services = Array.from({ length: 1000 }, (_, index) => ({
      ...one,
      name: `S${index}`,
      request: "Ad",
    }));
    topology.bundles = [];
    expect(toCanvasNodes(topology, layout, [])).toHaveLength(1000);
  });
});

describe("the topology as edges", () => {
  const edges = toCanvasEdges(adsTopology(), []);

  it("draws the flow from its source, the catch from what it guards, and calls", () => {
    expect(edges.map((edge) => [edge.id, edge.source, edge.target])).toEqual([
      ["link:Impressions/pick", "flow:Impressions", "stage:Impressions/pick"],
      ["link:Impressions/log", "stage:Impressions/pick", "stage:Impressions/log"],
      ["catch:Impressions/oops", "stage:Impressions/pick", "stage:Impressions/oops"],
      ["call:GetAd>ProduceAd", "stage:Impressions/pick", "service:ProduceAd"],
    ]);
  });

  it("shows a join with its threads and the colour of its pool", () => {
    expect(edges[0]?.data).toMatchObject({ join: { threads: "1", pool: "front", color: "var(--pool-1)" } });
    expect(edges[1]?.data).toMatchObject({ slot: true, join: undefined });
  });

  it("knows the lines that leave their binary", () => {
    const topology = adsTopology();
    topology.bundles = [
      { ...topology.bundles[0]!, services: ["GetAd", "CountError"] },
      { name: "Far", services: ["ProduceAd", "LogAd"], flows: [] },
    ];
    topology.binaries.push({ ...topology.binaries[0]!, name: "far", bundles: ["Far"], listen: [] });
    const leads = () => toCanvasEdges(topology, []).map(({ id, data }) => [id, data?.away]);
    const far = { binary: "far", transport: "shm" };
    expect(leads()).toEqual([
      ["link:Impressions/pick", undefined],
      ["link:Impressions/log", far],
      ["catch:Impressions/oops", undefined],
      ["call:GetAd>ProduceAd", far],
    ]);
    topology.binaries[1]!.listen = ["tcp://127.0.0.1:7400"];
    expect(leads()[1]?.[1]).toEqual({ binary: "far", transport: "tcp" });
  });

  it("draws both predecessors of a merge, the slot on the first", () => {
    const topology = adsTopology();
    topology.flows[0]?.stages.push({
      id: "end",
      service: "LogAd",
      role: "side-effect",
      after: ["pick", "log"],
    });
    const into = toCanvasEdges(topology, []).filter((edge) => edge.target === "stage:Impressions/end");
    expect(into.map((edge) => edge.id)).toEqual(["link:Impressions/end", "link:Impressions/end<log"]);
    expect(into.map((edge) => edge.type === "flow" && edge.data?.slot)).toEqual([true, false]);
  });

  it("says on each line of a branch for which values it is taken", () => {
    const topology = adsTopology();
    topology.flows[0]?.stages.push(
      { id: "one", service: "LogAd", role: "side-effect", after: ["pick"], when: "PREMIUM" },
      { id: "two", service: "LogAd", role: "side-effect", after: ["pick", "log"], when: ["BASIC", "FREE"] },
    );
    const said = toCanvasEdges(topology, []).flatMap((edge) =>
      edge.type === "flow" ? [[edge.id, edge.data?.when]] : [],
    );
    expect(said).toEqual([
      ["link:Impressions/pick", undefined],
      ["link:Impressions/log", undefined],
      ["link:Impressions/one", "PREMIUM"],
      ["link:Impressions/two", "BASIC, FREE"],
      ["link:Impressions/two<log", "BASIC, FREE"],
    ]);
    const labels = toCanvasEdges(topology, []).map((edge) => edge.ariaLabel);
    expect(labels).toContain("Flow Impressions: GetAd to LogAd, when PREMIUM");
    expect(labels).toContain("Flow Impressions: GetAd to LogAd");
  });
});
