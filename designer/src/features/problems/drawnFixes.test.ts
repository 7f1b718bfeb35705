import { beforeEach, describe, expect, it } from "vitest";
import { validateTopology } from "@penstock/codegen/validate";
import type { Topology } from "@penstock/codegen/topology";
import { documentStore } from "../../kernel/document/index.js";
import { newPool } from "../../kernel/document/edits/binaries.js";
import { adsTopology, open } from "../../testing/ads.js";
import { drawnFixes } from "./drawnFixes.js";
import { placeOf } from "./placeOf.js";

/** Applies the first fix of the first fixable problem until none is left. */
function fixAll(): string[] {
  const done: string[] = [];
  for (let round = 0; round < 20; round++) {
    const { topology } = documentStore.getState();
    const fix = validateTopology(topology).flatMap((problem) => drawnFixes(problem, topology))[0];
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

  it("secure what other machines ask over HTTP, with the certificate that is drawn", () => {
    const topology = adsTopology();
    topology.binaries[0]!.http = "0.0.0.0:8080";
    open(topology);
    expect(fixAll()).toEqual(["Ask for a token, over TLS"]);
    const secured = { address: "0.0.0.0:8080", auth: "bearer", tls: "keys" };
    expect(documentStore.getState().topology.binaries[0]?.http).toEqual(secured);

    const tls = { cert: "site.crt", key: "site.key" };
    topology.binaries[0]!.http = { address: "0.0.0.0:8080", auth: "none", tls, accepted: " " };
    open(topology);
    expect(fixAll()).toEqual(["Ask for a token, over TLS"]);
    expect(documentStore.getState().topology.binaries[0]?.http).toEqual({ ...secured, tls });
  });

  it("rename a bundle that messages.proto has no room for, in its binaries too", () => {
    const topology = adsTopology();
    Object.assign(topology.bundles[0]!, { name: "Ad" });
    topology.bundles.push({ name: "Adbundle", services: ["LogAd"], flows: [] });
    Object.assign(topology.binaries[0]!, {
      bundles: ["Ad", "Adbundle"],
      http: "127.0.0.1:0",
      expose: ["GetAd"],
    });
    open(topology);
    expect(fixAll()).toEqual(["Rename to AdBundle2"]);
    expect(documentStore.getState().topology.bundles[0]?.name).toBe("AdBundle2");
    expect(documentStore.getState().topology.binaries[0]?.bundles).toEqual(["AdBundle2", "Adbundle"]);
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
    expect(drawnFixes(problem, topology).map((fix) => fix.label)).toEqual(["Use AdRequest", "Use Ad"]);
    expect(placeOf(problem)).toBe("service:ProduceAd");
  });

  const labels = (topology: Topology, code: string) =>
    validateTopology(topology)
      .filter((problem) => problem.code === code)
      .flatMap((problem) => drawnFixes(problem, topology).map((fix) => fix.label));
  const emptyFlow = (): Topology => {
    const topology = adsTopology();
    return {
      ...topology,
      flows: [{ ...topology.flows[0]!, stages: [] }],
      bundles: topology.bundles.map((bundle) => ({ ...bundle, flows: [] })),
    };
  };

  it("give a flow without a stage a stage, not a bundle", () => {
    expect(labels(emptyFlow(), "PS402")).toEqual(["Lead it into GetAd", "Remove the flow"]);
    open(emptyFlow());
    const { topology } = documentStore.getState();
    const problem = validateTopology(topology).find(({ code }) => code === "PS402")!;
    drawnFixes(problem, topology)[0]!.perform();
    expect(validateTopology(documentStore.getState().topology).map(({ code }) => code)).not.toContain(
      "PS402",
    );
  });

  it("give it a new service where none takes its events", () => {
    const empty = emptyFlow();
    const topology = { ...empty, messages: [...empty.messages, { name: "Click", fields: [] }] };
    topology.flows[0]!.event = "Click";
    expect(labels(topology, "PS402")).toEqual(["Add a service", "Remove the flow"]);
    open(topology);
    drawnFixes(
      validateTopology(topology).find(({ code }) => code === "PS402")!,
      topology,
    )[0]!.perform();
    const { flows, services } = documentStore.getState().topology;
    expect(flows[0]?.stages.map(({ service }) => service)).toEqual([services.at(-1)?.name]);
    expect(services.at(-1)?.request).toBe("Click");
  });

  it("offer no message that is there already", () => {
    const topology = adsTopology();
    topology.flows[0]!.event = "Nothing";
    expect(labels(topology, "PS401")).toEqual(["Use AdRequest"]);
    topology.services[0]!.request = "Nothing";
    expect(labels(topology, "PS401")).toEqual([]);
  });

  it("know a request from an event where neither is a message", () => {
    const topology = adsTopology();
    topology.flows[0]!.event = "string";
    expect(labels(topology, "PS302")).toEqual(["Use AdRequest"]);
    topology.flows[0]!.event = "AdRequest";
    topology.services[0]!.request = "string";
    expect(labels(topology, "PS302")).toEqual(["Use AdRequest", "Use Ad"]);
  });

  it("take a placement out that does nothing", () => {
    const topology = adsTopology();
    topology.binaries[0]!.placement["Gone"] = { pool: "front" };
    open(topology);
    expect(labels(topology, "PS506")).toEqual(["Remove the placement"]);
    expect(fixAll()).toEqual(["Remove the placement"]);
    expect(documentStore.getState().topology.binaries[0]?.placement).not.toHaveProperty("Gone");
  });

  it("take steal out of a pool, which every pool does", () => {
    const topology = adsTopology();
    topology.binaries[0]!.pools = [newPool("front", 2), { ...newPool("back", 2), steal: true }];
    open(topology);
    expect(fixAll()).toEqual(["Remove steal"]);
    expect(documentStore.getState().topology.binaries[0]?.pools).toEqual([
      newPool("front", 2),
      newPool("back", 2),
    ]);
  });

  it("exchange the thresholds of a rule, and take out one that does nothing", () => {
    const topology = adsTopology();
    const side = (perSecond: number, preset: string) => ({ perSecond, preset });
    topology.binaries[0]!.presets = [
      { name: "calm", pools: [], joins: [] },
      { name: "busy", pools: [], joins: [] },
    ];
    topology.binaries[0]!.rules = [
      { of: "Gone", below: side(1, "calm"), above: side(2, "busy"), forSeconds: 5 },
      { of: "GetAd", below: side(5000, "calm"), above: side(1000, "busy"), forSeconds: 5 },
    ];
    open(topology);
    expect(fixAll()).toEqual(["Remove the rule", "Exchange the thresholds"]);
    expect(documentStore.getState().topology.binaries[0]?.rules).toEqual([
      { of: "GetAd", below: side(1000, "calm"), above: side(5000, "busy"), forSeconds: 5 },
    ]);
  });

  it("offer a bundle that runs before one that does not", () => {
    const topology = adsTopology();
    topology.bundles[0]!.services.splice(1, 1);
    topology.bundles.unshift({ name: "Idle", services: [], flows: [] });
    expect(labels(topology, "PS614")).toEqual(["Add to AdBundle", "Add to Idle"]);
  });

  it("take the name of nothing out of a bundle, or put there what was meant", () => {
    const topology = adsTopology();
    topology.bundles[0]!.services.push("Gone");
    topology.bundles[0]!.flows = ["Impresions"];
    open(topology);
    expect(labels(topology, "PS611")).toEqual(["Remove Gone from AdBundle"]);
    expect(labels(topology, "PS612")).toEqual(["Use Impressions", "Remove Impresions from AdBundle"]);
    expect(fixAll()).toEqual(expect.arrayContaining(["Remove Gone from AdBundle", "Use Impressions"]));
    expect(documentStore.getState().topology.bundles).toEqual(adsTopology().bundles);
  });
});
