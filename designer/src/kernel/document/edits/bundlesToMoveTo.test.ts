import { expect, it } from "vitest";
import { adsTopology } from "../../../testing/ads.js";
import { bundlesToMoveTo } from "./bundles.js";

it("are the bundles in which not all of it is already, alone", () => {
  const topology = {
    ...adsTopology(),
    bundles: [...adsTopology().bundles, { name: "Other", services: [], flows: [] }],
  };
  const targets = (services: string[], flows: string[] = []) =>
    bundlesToMoveTo(topology, { services, flows }).map(({ name }) => name);
  expect(targets(["GetAd"])).toEqual(["Other"]);
  expect(targets(["GetAd", "LogAd"], ["Impressions"])).toEqual(["Other"]);
  expect(targets(["GetAd", "New"])).toEqual(["AdBundle", "Other"]);
  topology.bundles[1]!.services.push("GetAd");
  expect(targets(["GetAd"])).toEqual(["AdBundle", "Other"]);
});
