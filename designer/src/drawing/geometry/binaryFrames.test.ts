import type { Binary, Topology } from "@penstock/codegen/topology";
import { describe, expect, it } from "vitest";
import { adsTopology } from "../../testing/ads.js";
import { twoBinaries, twoBinariesLayout } from "../../testing/twoBinaries.js";
import {
  binaryFrames,
  binaryHint,
  binaryUnder,
  bundleLabels,
  overlaps,
  type BinaryFrame,
} from "./binaryFrames.js";
import type { Box } from "./box.js";
import { canvasBoxes } from "./boxes.js";

const drawn = (topology: Topology = twoBinaries(), layout = twoBinariesLayout()) => {
  const boxes = canvasBoxes(topology, layout);
  const frames = new Map(binaryFrames(topology, boxes).map((frame) => [frame.binary.name, frame]));
  return { boxes, frames, frame: (name: string) => frames.get(name) ?? expect.fail(`${name} has no frame`) };
};

const isAround = (outer: Box, inner: Box): boolean =>
  outer.x < inner.x &&
  outer.y < inner.y &&
  outer.x + outer.width > inner.x + inner.width &&
  outer.y + outer.height > inner.y + inner.height;

/** Where a label lies, as wide as it is at least: its name in capitals. */
const labelBox = ({ x, y, height, label, binary }: BinaryFrame): Box => ({
  x: x + label.x,
  y: y + (label.border === "top" ? 0 : height) - 12,
  width: 24 + 8 * binary.name.length,
  height: 24,
});

describe("the frames of binaries", () => {
  it("are none where there is but one binary", () => {
    const topology = adsTopology();
    expect(binaryFrames(topology, canvasBoxes(topology, twoBinariesLayout()))).toEqual([]);
  });

  it("are each around all bundles of a binary, and around no other", () => {
    const { boxes, frame } = drawn();
    const bundle = (name: string) => boxes.get(`bundle:${name}`)!;
    expect(isAround(frame("ads-server"), bundle("AdBundle"))).toBe(true);
    for (const name of ["Models", "Logs"]) {
      expect(isAround(frame("models-server"), bundle(name))).toBe(true);
      expect(overlaps(frame("ads-server"), bundle(name))).toBe(false);
    }
  });

  it("show one without a bundle below all that is drawn, for one to be dropped in", () => {
    const topology = twoBinaries();
    topology.binaries[0]!.bundles = [];
    const { boxes, frame } = drawn(topology);
    expect(frame("ads-server")).toMatchObject({ empty: true });
    expect(frame("models-server")).toMatchObject({ empty: false });
    for (const box of [...boxes.values(), frame("models-server")])
      expect(overlaps(frame("ads-server"), box)).toBe(false);
  });

  it("have their labels beside each other where they are around the same bundle", () => {
    const topology = twoBinaries();
    for (const binary of topology.binaries) binary.bundles = ["AdBundle", "Models", "Logs"];
    const { frame } = drawn(topology);
    const [one, other] = [frame("ads-server"), frame("models-server")];
    expect([one.x, one.y, one.width]).toEqual([other.x, other.y, other.width]);
    expect(overlaps(labelBox(one), labelBox(other))).toBe(false);
  });

  it("have their labels where no node covers them, also where their bundles lie among each other", () => {
    const layout = twoBinariesLayout();
    // Over the upper left corner of the frame of the models.
    const corner = drawn().frame("models-server");
    layout.nodes["flow:Impressions"] = { x: corner.x - 20, y: corner.y - 40 };
    const { boxes, frame } = drawn(twoBinaries(), layout);
    const labels = [frame("ads-server"), frame("models-server")].map(labelBox);
    const covering = [...boxes].filter(
      ([ref, box]) => !ref.startsWith("bundle:") && labels.some((label) => overlaps(label, box)),
    );
    expect(covering).toEqual([]);
  });

  it("say in how many processes a binary runs, and where it listens", () => {
    const [server, models] = twoBinaries().binaries;
    const hint = (binary: Binary, hosts = {}) => binaryHint(binary, new Map(Object.entries(hosts)));
    expect(hint(server!)).toBe(":7400");
    expect(hint(models!)).toBe("×2");
    expect(hint({ ...models!, http: "127.0.0.1:8080" })).toBe("×2 · :8080");
    expect(hint({ ...server!, replicas: 2 }, { "ads-server": "10.0.0.5" })).toBe("×2 · 10.0.0.5:7400");
  });

  it("name the hosts of a drawing that has several, with room for them", () => {
    const topology = twoBinaries();
    const [server, models] = topology.binaries;
    server!.listen = ["tcp://ads.production.example:7400"];
    models!.listen = ["tcp://10.0.0.6:7400"];
    const hints = [...drawn(topology).frames.values()].map(({ hint }) => hint);
    expect(hints).toEqual(["ads.production.example:7400", "×2 · 10.0.0.6:7400"]);
    // An empty frame is as wide as what it says.
    const width = () => drawn(topology).frame("ads-server").width;
    server!.bundles = [];
    const named = width();
    models!.listen = [];
    expect(drawn(topology).frame("ads-server").hint).toBe(":7400");
    expect(named).toBeGreaterThan(width());
  });
});

describe("where a bundle goes that is let go", () => {
  const box = (name: string, x: number, y: number, size: number) => ({
    name,
    x,
    y,
    width: size,
    height: size,
  });
  const frames = [box("a", 0, 0, 100), box("b", 80, 0, 100), box("inner", 10, 10, 20)];
  const under = (x: number, y: number, ...own: string[]) => binaryUnder(frames, { x, y }, own);

  it("is the binary in whose frame that is, and none outside of all", () => {
    expect(under(150, 50, "a")).toBe("b");
    expect(under(150, 50)).toBe("b");
    expect(under(400, 50, "a")).toBeUndefined();
  });

  it("is none that serves it already", () => {
    expect(under(150, 50, "b")).toBeUndefined();
    expect(under(50, 50, "a", "b")).toBeUndefined();
  });

  it("is the innermost of frames within one another, both ways", () => {
    expect(under(15, 15, "a")).toBe("inner");
    expect(under(15, 15, "inner")).toBeUndefined();
    expect(under(50, 50, "inner")).toBe("a");
  });

  it("is none where another frame merely overlaps its own", () => {
    expect(under(90, 50, "a")).toBeUndefined();
    expect(under(90, 50, "b")).toBeUndefined();
  });
});

describe("the labels of bundles", () => {
  const labels = (boxes: Record<string, Box>) => {
    const all = new Map(Object.entries(boxes).map(([name, box]) => [`bundle:${name}`, box]));
    const placed = bundleLabels(twoBinaries(), all);
    return Object.keys(boxes).map((name) => placed.get(`bundle:${name}`)!);
  };
  const wide = { x: 0, y: 0, width: 600, height: 200 };

  it("lie at the left end, where no other one does", () => {
    const [one, other] = labels({ AdBundle: wide, Models: { ...wide, y: 100 } });
    expect([one!.x, other!.x]).toEqual([14, 14]);
  });

  it("lie beside those of bundles before them on the same border", () => {
    const [one, other, third] = labels({
      AdBundle: wide,
      Models: { ...wide, x: 40, y: 10 },
      Logs: { ...wide, x: 80, y: -10 },
    });
    expect(one!.x).toBe(14);
    for (const [left, right] of [
      [one!, other!],
      [other!, third!],
    ] as const)
      expect(right.x).toBeGreaterThan(left.x + left.width);
  });

  it("stay where a narrow bundle has no room beside another label", () => {
    const [, other] = labels({ AdBundle: wide, Models: { x: 40, y: 0, width: 140, height: 100 } });
    expect(other).toMatchObject({ x: 54, width: 112 });
  });
});
