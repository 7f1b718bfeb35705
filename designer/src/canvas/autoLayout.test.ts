import Elk from "elkjs/lib/elk.bundled.js";
import { describe, expect, it } from "vitest";
import { snapped } from "../document/edits/layout.js";
import { adsTopology } from "../testing/ads.js";
import { elkGraph, positionsOf } from "./autoLayout.js";
import { drawnItems } from "./boxes.js";

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

  it("is the same each time", async () => {
    expect(await laidOut()).toEqual(await laidOut());
  });
});
