import { beforeEach, describe, expect, it } from "vitest";
import { validateTopology } from "@penstock/codegen/validate";
import { documentStore } from "../document/index.js";
import { adsTopology, open } from "../testing/ads.js";
import { placeOf, quickFixes } from "./quickFixes.js";

/** Applies the first fix of the first fixable problem until none is left. */
function fixAll(): string[] {
  const done: string[] = [];
  for (let round = 0; round < 20; round++) {
    const { topology } = documentStore.getState();
    const fix = validateTopology(topology).flatMap((problem) => quickFixes(problem, topology))[0];
    if (!fix) return done;
    fix.perform();
    done.push(fix.label);
  }
  return done;
}

describe("quick fixes", () => {
  beforeEach(() => open());

  it("make a drawing without bundle and binary ready to run", () => {
    open({ ...adsTopology(), bundles: [], binaries: [] });
    expect(fixAll()).toEqual(["Make a bundle of everything", "Add binary for this bundle"]);
    const topology = documentStore.getState().topology;
    expect(topology.bundles[0]?.flows).toEqual(["Impressions"]);
    expect(topology.binaries).toHaveLength(1);
  });

  it("offer the bundles that are there to a service in none", () => {
    const topology = adsTopology();
    topology.bundles[0]?.services.splice(1, 1);
    open(topology);
    expect(fixAll()[0]).toBe("Add to AdBundle");
    expect(documentStore.getState().topology.bundles[0]?.services).toContain("ProduceAd");
  });

  it("offer messages where a request is missing", () => {
    const topology = adsTopology();
    const service = topology.services[1];
    if (service) service.request = "Nothing";
    open(topology);
    const problem = validateTopology(topology).find((item) => item.pointer === "/services/1/request");
    if (!problem) throw new Error("the missing request is no problem");
    expect(quickFixes(problem, topology).map((fix) => fix.label)).toEqual(["Use AdRequest", "Use Ad"]);
    expect(placeOf(problem)).toBe("service:ProduceAd");
  });
});
