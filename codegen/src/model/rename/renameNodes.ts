import type { Binary, Placement, Stage, Topology } from "../topology/index.js";
import { exposeFollows } from "./expose.js";
import { allPresetsChanged } from "./presets.js";
import { renameKey } from "./renameKey.js";
import { allRulesFollow, rulesFollow } from "./rules.js";

const swap =
  (from: string, to: string) =>
  (name: string): string =>
    name === from ? to : name;

/** A service: its own name, calls, stages, bundles, placements and rules. */
export function renameService(topology: Topology, from: string, to: string): Topology {
  const follow = swap(from, to);
  return {
    ...topology,
    services: topology.services.map((service) => ({
      ...service,
      name: follow(service.name),
      calls: service.calls.map(follow),
    })),
    flows: topology.flows.map((flow) => ({
      ...flow,
      stages: flow.stages.map((stage) => ({ ...stage, service: follow(stage.service) })),
    })),
    bundles: topology.bundles.map((bundle) => ({ ...bundle, services: bundle.services.map(follow) })),
    binaries: topology.binaries.map((binary) => ({
      ...exposeFollows(topology, rulesFollow(binary, follow), follow),
      placement: renameKey(binary.placement, from, to),
    })),
  };
}

/** An implementation of a service, and the placements that pick or weigh it. */
export function renameImplementation(
  topology: Topology,
  service: string,
  from: string,
  to: string,
): Topology {
  const follow = swap(from, to);
  const inPlacement = (placement: Placement): Placement => {
    const { implementation } = placement;
    if (implementation === undefined) return placement;
    return {
      ...placement,
      implementation:
        typeof implementation === "string" ? follow(implementation) : renameKey(implementation, from, to),
    };
  };
  const inBinary = (binary: Binary): Binary => {
    const placement = Object.hasOwn(binary.placement, service) ? binary.placement[service] : undefined;
    if (placement === undefined) return binary;
    return { ...binary, placement: { ...binary.placement, [service]: inPlacement(placement) } };
  };
  return {
    ...topology,
    services: topology.services.map((item) =>
      item.name === service ? { ...item, implementations: item.implementations.map(follow) } : item,
    ),
    binaries: topology.binaries.map(inBinary),
  };
}

/** A flow, the bundles that hold it, and the presets and rules about it. */
export const renameFlow = (topology: Topology, from: string, to: string): Topology => ({
  ...allRulesFollow(
    allPresetsChanged(topology, { slot: (flow, stage) => ({ flow: flow === from ? to : flow, stage }) }),
    swap(from, to),
  ),
  flows: topology.flows.map((flow) => (flow.name === from ? { ...flow, name: to } : flow)),
  bundles: topology.bundles.map((bundle) => ({ ...bundle, flows: bundle.flows.map(swap(from, to)) })),
});

/** A stage of a flow, and the stages that follow it by name. */
export function renameStage(topology: Topology, flowName: string, from: string, to: string): Topology {
  const follow = swap(from, to);
  const inStage = (stage: Stage): Stage => {
    const renamed = { ...stage, id: follow(stage.id) };
    return stage.after === undefined ? renamed : { ...renamed, after: stage.after.map(follow) };
  };
  const flows = topology.flows.map((flow) =>
    flow.name === flowName ? { ...flow, stages: flow.stages.map(inStage) } : flow,
  );
  const slot = (flow: string, stage: string) => ({
    flow,
    stage: flow === flowName ? follow(stage) : stage,
  });
  return { ...allPresetsChanged(topology, { slot }), flows };
}

/** A bundle, and the binaries that serve it. */
export const renameBundle = (topology: Topology, from: string, to: string): Topology => ({
  ...topology,
  bundles: topology.bundles.map((bundle) => (bundle.name === from ? { ...bundle, name: to } : bundle)),
  binaries: topology.binaries.map((binary) => ({ ...binary, bundles: binary.bundles.map(swap(from, to)) })),
});

/** A binary; nothing refers to one. */
export const renameBinary = (topology: Topology, from: string, to: string): Topology => ({
  ...topology,
  binaries: topology.binaries.map((binary) => (binary.name === from ? { ...binary, name: to } : binary)),
});
