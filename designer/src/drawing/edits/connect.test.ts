import { describe, expect, it } from "vitest";
import { adsTopology, modelOf } from "../../testing/ads.js";
import { connection } from "./connect.js";
import { PORTS } from "../../kernel/document/canvasRefs.js";

const call = (from: string, to: string, topology = adsTopology()) =>
  connection(topology, { node: from, handle: PORTS.callOut }, { node: to, handle: PORTS.callIn });
const flow = (from: string, to: string, topology = adsTopology()) =>
  connection(topology, { node: from, handle: PORTS.flowOut }, { node: to, handle: PORTS.flowIn });
/** The edit of a line that is allowed. */
function drawn(verdict: ReturnType<typeof connection>) {
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.edit;
}
const reason = (verdict: ReturnType<typeof connection>) => (verdict.ok ? "" : verdict.reason);

describe("a line between two ports", () => {
  it("draws a call", () => {
    const verdict = call("stage:Impressions/pick", "stage:Impressions/log");
    expect(drawn(verdict)(modelOf()).topology.services[0]?.calls).toEqual(["ProduceAd", "LogAd"]);
  });

  it("refuses a second call, a call that would deadlock and ports of two kinds, with the reason", () => {
    expect(reason(call("stage:Impressions/pick", "service:ProduceAd"))).toMatch(/already calls/);
    expect(reason(call("service:ProduceAd", "stage:Impressions/pick"))).toMatch(/would block its thread/);
    const mixed = connection(
      adsTopology(),
      { node: "stage:Impressions/pick", handle: PORTS.callOut },
      { node: "stage:Impressions/log", handle: PORTS.flowIn },
    );
    expect(reason(mixed)).toMatch(/upper port/);
  });

  it("says when calls come to go in a circle that may be", () => {
    const topology = adsTopology();
    for (const service of topology.services) service.kind = "async-remote";
    const back = connection(
      topology,
      { node: "service:ProduceAd", handle: PORTS.callOut },
      { node: "stage:Impressions/pick", handle: PORTS.callIn },
    );
    expect(back).toMatchObject({
      ok: true,
      note: "The calls go in a circle now: ProduceAd → GetAd → ProduceAd",
    });
    const on = connection(
      topology,
      { node: "service:ProduceAd", handle: PORTS.callOut },
      { node: "stage:Impressions/log", handle: PORTS.callIn },
    );
    expect(on).not.toHaveProperty("note");
  });

  it("leads a flow into a service that takes what arrives, and says so where it does not", () => {
    const topology = adsTopology();
    topology.services.push({
      name: "Rank",
      request: "Ad",
      response: "Ad",
      kind: "simple",
      calls: [],
      implementations: [],
    });
    const verdict = flow("stage:Impressions/pick", "service:Rank", topology);
    const next = drawn(verdict)({ ...modelOf(), topology }).topology.flows[0]?.stages.map(
      (stage) => stage.service,
    );
    expect(next).toEqual(["GetAd", "LogAd", "Rank", "CountError"]);
    expect(reason(flow("stage:Impressions/pick", "service:ProduceAd"))).toMatch(
      /takes "AdRequest", but "Ad" arrives/,
    );
  });

  it("makes a service that takes failures a catch", () => {
    const topology = adsTopology();
    topology.flows[0]?.stages.pop();
    const verdict = flow("stage:Impressions/pick", "service:CountError", topology);
    expect(drawn(verdict)({ ...modelOf(), topology }).topology.flows[0]?.stages.at(-1)).toMatchObject({
      role: "catch",
    });
  });

  it("does not start a flow out of a service that is in none", () => {
    expect(reason(flow("service:ProduceAd", "stage:Impressions/log"))).toMatch(/in no flow yet/);
  });

  it("does not run in a circle", () => {
    expect(reason(flow("stage:Impressions/log", "stage:Impressions/pick"))).toMatch(
      /cannot follow|stands before/,
    );
  });
});
