import type { Binary, Layout, Topology } from "@penstock/codegen/topology";
import { showDocument } from "../kernel/document/index.js";
import { adsTopology } from "./ads.js";

/** The ads example in two binaries: one bundle of `ads-server` left, two of `models-server` right; for tests. */
export function twoBinaries(): Topology {
  const topology = adsTopology();
  const [server] = topology.binaries as [Binary];
  const poolsNamed = (name: string) => server.pools.filter((pool) => pool.name === name);
  return {
    ...topology,
    bundles: [
      { name: "AdBundle", services: ["GetAd", "CountError"], flows: ["Impressions"] },
      { name: "Models", services: ["ProduceAd"], flows: [] },
      { name: "Logs", services: ["LogAd"], flows: [] },
    ],
    binaries: [
      {
        ...server,
        bundles: ["AdBundle"],
        pools: poolsNamed("front"),
        placement: { GetAd: { pool: "front" } },
      },
      {
        ...server,
        name: "models-server",
        bundles: ["Models", "Logs"],
        pools: poolsNamed("models"),
        placement: { ProduceAd: { pool: "models" } },
        listen: [],
        replicas: 2,
      },
    ],
  };
}

export const twoBinariesLayout = (): Layout => ({
  penstock: 1,
  nodes: {
    "flow:Impressions": { x: 0, y: 0 },
    "stage:Impressions/pick": { x: 308, y: 0 },
    "stage:Impressions/oops": { x: 616, y: 0 },
    "service:ProduceAd": { x: 1210, y: 0 },
    "stage:Impressions/log": { x: 1210, y: 330 },
  },
});

export const openTwoBinaries = (topology: Topology = twoBinaries()): void =>
  showDocument({
    projectId: "p1",
    topology,
    layout: twoBinariesLayout(),
    revision: "r1",
    readOnly: false,
    readOnlyReason: "",
  });
