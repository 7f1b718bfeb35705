import { topologySchema, type Topology } from "@penstock/codegen/topology";

/** A flow whose stages run on drawn pools, on threads of a join's own and fused, for tests. */
export const joinedTopology = (): Topology =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "A" }],
    services: ["Parse", "Check", "Query", "Send", "Log", "Post"].map((name) => ({
      name,
      request: "A",
      response: "A",
      calls: name === "Send" ? ["Post"] : [],
    })),
    flows: [
      {
        name: "Orders",
        event: "A",
        source: { kind: "rate", perSecond: 1 },
        stages: [
          { id: "parse", service: "Parse" },
          { id: "check", service: "Check" },
          { id: "query", service: "Query", join: { pool: "database" } },
          { id: "send", service: "Send", join: { threads: 2, queue: 8, overflow: "block" } },
          { id: "log", service: "Log" },
        ],
      },
    ],
    bundles: [{ name: "B", services: ["Parse", "Check", "Query", "Send", "Log", "Post"], flows: ["Orders"] }],
    binaries: [
      {
        name: "shop-server",
        bundles: ["B"],
        pools: [
          { name: "front", threads: [{ cpus: [0] }] },
          { name: "database", threads: [{}] },
          { name: "wide", threads: [{}, {}] },
        ],
        placement: { Parse: { pool: "front" }, Post: { pool: "wide" } },
      },
    ],
  });
