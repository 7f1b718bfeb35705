import { emptyLayout, topologySchema, type Topology } from "@penstock/codegen/topology";
import { showDocument, type DocumentModel } from "../kernel/document/index.js";

/** The ads example of the format's description, for tests. */
export const adsTopology = (): Topology =>
  topologySchema.parse({
    penstock: 1,
    name: "ads",
    messages: [
      { name: "AdRequest", fields: [{ name: "cookie", type: "string", tag: 1 }] },
      { name: "Ad", fields: [{ name: "score", type: "double", tag: 1 }] },
    ],
    services: [
      { name: "GetAd", request: "AdRequest", response: "Ad", kind: "async-remote", calls: ["ProduceAd"] },
      {
        name: "ProduceAd",
        request: "AdRequest",
        response: "Ad",
        kind: "sync-remote",
        implementations: ["ModelA", "ModelB"],
      },
      { name: "LogAd", request: "Ad", kind: "single-threaded" },
      { name: "CountError", request: "Failure" },
    ],
    flows: [
      {
        name: "Impressions",
        event: "AdRequest",
        source: { kind: "rate", perSecond: 200 },
        stages: [
          { id: "pick", service: "GetAd", join: { pool: "front" } },
          { id: "log", service: "LogAd", role: "side-effect" },
          { id: "oops", service: "CountError", role: "catch" },
        ],
      },
    ],
    bundles: [
      { name: "AdBundle", services: ["GetAd", "ProduceAd", "LogAd", "CountError"], flows: ["Impressions"] },
    ],
    binaries: [
      {
        name: "ads-server",
        bundles: ["AdBundle"],
        pools: [
          { name: "front", threads: [{ cpus: [0] }] },
          { name: "models", threads: [{ cpus: [1] }, {}, {}] },
        ],
        placement: { GetAd: { pool: "front" }, ProduceAd: { pool: "models" } },
        listen: ["tcp://127.0.0.1:7400"],
      },
    ],
  });

export const modelOf = (topology: Topology = adsTopology()): DocumentModel => ({
  topology,
  layout: emptyLayout(),
});

/** Opens a topology in the store as the shell would, with an empty history. */
export const open = (topology: Topology = adsTopology()): void =>
  showDocument({
    projectId: "p1",
    topology,
    layout: emptyLayout(),
    revision: "r1",
    readOnly: false,
    readOnlyReason: "",
  });
