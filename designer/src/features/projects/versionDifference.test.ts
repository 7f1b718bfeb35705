import { describe, expect, it } from "vitest";
import { adsTopology } from "../../testing/ads.js";
import { versionDifference } from "./versionDifference.js";

describe("versionDifference", () => {
  it("should find nothing between equal drawings", () => {
    expect(versionDifference(adsTopology(), adsTopology())).toEqual({
      onlyMine: [],
      onlyTheirs: [],
      changed: [],
    });
  });

  it("should name what only one side has and what both drew differently", () => {
    const mine = adsTopology();
    const theirs = adsTopology();
    mine.services[0]!.name = "PickAd";
    theirs.flows[0]!.doc = "theirs";
    expect(versionDifference(mine, theirs)).toEqual({
      onlyMine: ["service PickAd"],
      onlyTheirs: ["service GetAd"],
      changed: ["flow Impressions"],
    });
  });
});
