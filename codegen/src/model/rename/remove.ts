import { predecessorsOf, type Binary, type Flow, type Topology } from "../topology/index.js";
import { exposeFollows } from "./expose.js";
import { allPresetsChanged } from "./presets.js";
import { withoutKey } from "./renameKey.js";
import { allRulesFollow, rulesFollow } from "./rules.js";

const without =
  (name: string) =>
  (other: string): boolean =>
    other !== name;

const unless =
  (name: string) =>
  (other: string): string | undefined =>
    other === name ? undefined : other;

/**
 * Removals return a new topology without the thing and without what referred to it. Types are the
 * exception: whoever still uses a removed message or enum keeps naming it, and the checks point there
 * (nobody can guess what should take its place).
 */
export const removeMessage = (topology: Topology, name: string): Topology => ({
  ...topology,
  messages: topology.messages.filter((message) => message.name !== name),
});

export const removeEnum = (topology: Topology, name: string): Topology => ({
  ...topology,
  enums: topology.enums.filter((item) => item.name !== name),
});

/** A service with its calls in both directions, its stages, its places in bundles, its placements and its rules. */
export function removeService(topology: Topology, name: string): Topology {
  const keep = without(name);
  return {
    ...topology,
    services: topology.services
      .filter((service) => service.name !== name)
      .map((service) =>
        service.calls.includes(name) ? { ...service, calls: service.calls.filter(keep) } : service,
      ),
    flows: topology.flows.map((flow) =>
      flow.stages
        .filter(({ service }) => service === name)
        .reduce((left, { id }) => stageRemoved(left, id), flow),
    ),
    bundles: topology.bundles.map((bundle) => ({ ...bundle, services: bundle.services.filter(keep) })),
    binaries: topology.binaries.map((binary) => ({
      ...exposeFollows(topology, rulesFollow(binary, unless(name)), unless(name)),
      placement: withoutKey(binary.placement, name),
    })),
  };
}

/** One drawn call. */
export const removeCall = (topology: Topology, from: string, to: string): Topology => ({
  ...topology,
  services: topology.services.map((service) =>
    service.name === from ? { ...service, calls: service.calls.filter(without(to)) } : service,
  ),
});

/** An implementation; a placement that picked it alone picks nothing any more. */
export function removeImplementation(topology: Topology, service: string, name: string): Topology {
  const inBinary = (binary: Binary): Binary => {
    const placement = Object.hasOwn(binary.placement, service) ? binary.placement[service] : undefined;
    if (placement?.implementation === undefined) return binary;
    const { implementation, ...rest } = placement;
    const left = typeof implementation === "string" ? implementation : withoutKey(implementation, name);
    const gone = left === name || (typeof left === "object" && Object.keys(left).length === 0);
    return {
      ...binary,
      placement: { ...binary.placement, [service]: gone ? rest : { ...rest, implementation: left } },
    };
  };
  return {
    ...topology,
    services: topology.services.map((item) =>
      item.name === service ? { ...item, implementations: item.implementations.filter(without(name)) } : item,
    ),
    binaries: topology.binaries.map(inBinary),
  };
}

/** A stage; the stages behind it follow what it followed, on the branch that it was on. */
export const removeStage = (topology: Topology, flowName: string, id: string): Topology => ({
  ...allPresetsChanged(topology, {
    slot: (flow, stage) => (flow === flowName && stage === id ? undefined : { flow, stage }),
  }),
  flows: topology.flows.map((flow) => (flow.name === flowName ? stageRemoved(flow, id) : flow)),
});

function stageRemoved(flow: Flow, id: string): Flow {
  const at = flow.stages.findIndex((stage) => stage.id === id);
  const gone = flow.stages[at];
  if (gone === undefined) return flow;
  const { when } = gone;
  const before = (predecessorsOf(flow)[at] ?? []).flatMap((index) => flow.stages[index]?.id ?? []);
  const stages = flow.stages
    .map((stage, index) => {
      const follows = stage.after ?? (index === at + 1 ? [id] : []);
      if (!follows.includes(id)) return stage;
      const alone = stage.role !== "catch" && follows.every((other) => other === id);
      const kept = alone && when !== undefined && stage.when === undefined ? { ...stage, when } : stage;
      // The one right behind follows by its place in the list: it has to be told when that changes.
      if (stage.after === undefined && gone.after === undefined) return kept;
      const { after: _, ...rest } = kept;
      const after = [...new Set(follows.flatMap((other) => (other === id ? before : [other])))];
      return after.length === 0 ? rest : { ...rest, after };
    })
    .filter((_, index) => index !== at);
  return { ...flow, stages };
}

/** A flow, its places in bundles and in presets, and its rules. */
export const removeFlow = (topology: Topology, name: string): Topology => ({
  ...allRulesFollow(
    allPresetsChanged(topology, { slot: (flow, stage) => (flow === name ? undefined : { flow, stage }) }),
    unless(name),
  ),
  flows: topology.flows.filter((flow) => flow.name !== name),
  bundles: topology.bundles.map((bundle) => ({ ...bundle, flows: bundle.flows.filter(without(name)) })),
});

/** A bundle, and its places in binaries; its services and flows stay. */
export const removeBundle = (topology: Topology, name: string): Topology => ({
  ...topology,
  bundles: topology.bundles.filter((bundle) => bundle.name !== name),
  binaries: topology.binaries.map((binary) => ({ ...binary, bundles: binary.bundles.filter(without(name)) })),
});

/** A binary; its bundles stay. */
export const removeBinary = (topology: Topology, name: string): Topology => ({
  ...topology,
  binaries: topology.binaries.filter((binary) => binary.name !== name),
});
