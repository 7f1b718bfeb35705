import type { Binary, Topology } from "@penstock/codegen/topology";

/** The binaries that run a flow, through a bundle that lists it. */
export function binariesOfFlow(topology: Topology, flow: string): Binary[] {
  const bundles = topology.bundles.filter((bundle) => bundle.flows.includes(flow)).map((item) => item.name);
  return topology.binaries.filter((binary) => binary.bundles.some((name) => bundles.includes(name)));
}
