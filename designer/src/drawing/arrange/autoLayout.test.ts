import Elk from "elkjs/lib/elk.bundled.js";
import { describe, expect, it } from "vitest";
import { snapped } from "../../kernel/document/edits/layout.js";
import { adsTopology } from "../../testing/ads.js";
import { elkGraph, positionsOf } from "./autoLayout.js";
import { twoBinaries } from "../../testing/twoBinaries.js";
import { binaryFrames, overlaps } from "../geometry/binaryFrames.js";
import { canvasBoxes, drawnItems } from "../geometry/boxes.js";

const laidOut = async (topology = adsTopology()) => {
  const places = positionsOf(await new Elk().layout(elkGraph(topology)));
  return drawnItems(topology).map(({ ref, size }) => {
    const place = places[ref];
    if (!place) throw new Error(`${ref} has no place`);
    return { ref, ...place, ...size };
  });
};

describe("the layout that is made automatically", () => {
  it("puts no box onto another one, on the grid", async () => {
    const boxes = await laidOut();
    expect(boxes.length).toBeGreaterThan(3);
    for (const one of boxes) {
      expect([one.x, one.y]).toEqual([snapped(one.x), snapped(one.y)]);
      for (const other of boxes)
        if (one !== other)
          expect(
            one.x >= other.x + other.width ||
              other.x >= one.x + one.width ||
              one.y >= other.y + other.height ||
              other.y >= one.y + one.height,
            `${one.ref} and ${other.ref}`,
          ).toBe(true);
    }
  });

  it("lets a flow read from left to right", async () => {
    const boxes = await laidOut();
    const x = (ref: string) => boxes.find((box) => box.ref === ref)?.x ?? Number.NaN;
    expect(x("flow:Impressions")).toBeLessThan(x("stage:Impressions/pick"));
    expect(x("stage:Impressions/pick")).toBeLessThan(x("stage:Impressions/log"));
  });

  it("lets callers stand above what they call where no flow is drawn", async () => {
    const topology = { ...adsTopology(), flows: [] };
    const boxes = await laidOut({
      ...topology,
      bundles: topology.bundles.map((one) => ({ ...one, flows: [] })),
    });
    const y = (ref: string) => boxes.find((box) => box.ref === ref)?.y ?? Number.NaN;
    expect(y("service:GetAd")).toBeLessThan(y("service:ProduceAd"));
  });

  it("places what a stage calls below it, and the stages at one height", async () => {
    const boxes = await laidOut();
    const at = (ref: string) => boxes.find((box) => box.ref === ref) ?? expect.fail(`${ref} has no place`);
    const caller = at("stage:Impressions/pick");
    const callee = at("service:ProduceAd");
    expect(callee.y).toBeGreaterThan(caller.y + caller.height);
    expect(Math.abs(callee.x - caller.x)).toBeLessThan(caller.width);
    expect(at("flow:Impressions").y).toBe(caller.y);
  });

  it("leaves gaps that let five nodes be seen at 0.9 on a laptop's screen", async () => {
    const boxes = await laidOut();
    expect(boxes).toHaveLength(5);
    const least = (axis: "x" | "y") => Math.min(...boxes.map((box) => box[axis]));
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - least("x");
    const height = Math.max(...boxes.map((box) => box.y + box.height)) - least("y");
    // The canvas of 1440x900 with both panels and the dock, less what a fit leaves free and the bundle's border.
    expect(0.9 * (width + 44)).toBeLessThanOrEqual(856 - 52);
    expect(0.9 * (height + 62)).toBeLessThanOrEqual(616 - 90);
  });

  it("keeps binaries apart, also where a flow goes from one to another and back", async () => {
    const topology = twoBinaries();
    topology.flows[0]!.stages.push({ id: "back", service: "CountError", role: "map", after: ["log"] });
    topology.bundles[0]!.services = ["GetAd"];
    topology.bundles.push({ name: "Back", services: ["CountError"], flows: [] });
    topology.binaries[0]!.bundles.push("Back");
    const nodes = Object.fromEntries((await laidOut(topology)).map(({ ref, x, y }) => [ref, { x, y }]));
    const frames = binaryFrames(topology, canvasBoxes(topology, { penstock: 1, nodes }));
    expect(frames).toHaveLength(2);
    expect(overlaps(frames[0]!, frames[1]!)).toBe(false);
  });

  it("is the same each time", async () => {
    expect(await laidOut()).toEqual(await laidOut());
  });

  it("goes on beside where a long chain of calls has come to the end of a screen", async () => {
    const [service] = adsTopology().services;
    const name = (chain: number, at: number) => `Chain${chain}At${at}`;
    const services = [0, 1, 2, 3, 4].flatMap((chain) =>
      Array.from({ length: 40 }, (_, at) => ({
        ...service!,
        name: name(chain, at),
        calls: at < 39 ? [name(chain, at + 1)] : [],
      })),
    );
    const [bundle] = adsTopology().bundles;
    const bundles = [{ ...bundle!, services: services.map((one) => one.name), flows: [] }];
    const boxes = await laidOut({ ...adsTopology(), services, flows: [], bundles });
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - Math.min(...boxes.map(({ x }) => x));
    const height = Math.max(...boxes.map((box) => box.y + box.height)) - Math.min(...boxes.map(({ y }) => y));
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(3);
    // Callers stand above what they call, but where a band ends.
    const at = new Map(boxes.map((box) => [box.ref, box]));
    const upwards = services.filter(
      ({ name: caller, calls: [callee] }) =>
        callee !== undefined && at.get(`service:${callee}`)!.y <= at.get(`service:${caller}`)!.y,
    );
    expect(upwards.length).toBeLessThanOrEqual(5 * 4);
    for (const one of boxes)
      for (const other of boxes)
        if (one !== other)
          expect(
            one.x >= other.x + other.width ||
              other.x >= one.x + one.width ||
              one.y >= other.y + other.height ||
              other.y >= one.y + one.height,
          ).toBe(true);
  });

  /** `bundles` of twenty services each, of which nobody calls any other. */
  const unrelated = (bundles: number): ReturnType<typeof adsTopology> => {
    const names = Array.from({ length: bundles * 20 }, (_, at) => `Service${at}`);
    return {
      ...adsTopology(),
      services: names.map((name) => ({ ...adsTopology().services[0]!, name, calls: [] })),
      flows: [],
      bundles: Array.from({ length: bundles }, (_, at) => ({
        ...adsTopology().bundles[0]!,
        ...{ name: `Bundle${at}`, services: names.slice(at * 20, at * 20 + 20), flows: [] },
      })),
    };
  };
  it.each([1, 10])("fills a screen with %i bundles of services that nobody calls", async (bundles) => {
    const boxes = await laidOut(unrelated(bundles));
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - Math.min(...boxes.map(({ x }) => x));
    const height = Math.max(...boxes.map((box) => box.y + box.height)) - Math.min(...boxes.map(({ y }) => y));
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(3);
    for (const one of boxes)
      for (const other of boxes)
        if (one !== other)
          expect(
            one.x >= other.x + other.width ||
              other.x >= one.x + one.width ||
              one.y >= other.y + other.height ||
              other.y >= one.y + one.height,
          ).toBe(true);
  });
});
