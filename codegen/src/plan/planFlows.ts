import {
  decidingField,
  flowValues,
  indexTopology,
  nodeRef,
  snakeCase,
  type Flow,
  type Source,
  type StageRole,
  type StageValues,
  type Topology,
  type TopologyIndex,
} from "../model/topology/index.js";
import { describeField } from "./describeField.js";
import { planGenerator } from "./planNodeSettings.js";
import { TypeSpeller } from "./planTypes.js";
import type { FlowPlan, ServicePlan, SourceSetting, StagePlan } from "./projectPlan.js";

const BUILDER_METHODS: Record<StageRole, string> = {
  map: "map",
  "side-effect": "side_effect",
  catch: "catch_failure",
};

/** Flows that run today (others are refused before this). */
export function planFlows(topology: Topology, services: readonly ServicePlan[]): FlowPlan[] {
  const speller = new TypeSpeller(topology);
  const byName = new Map(services.map((service) => [service.name, service]));
  const index = indexTopology(topology);
  return topology.flows.map((flow): FlowPlan => {
    const file = snakeCase(flow.name);
    const values = flowValues(flow, index);
    const made = madeEvents(flow, index, speller);
    return {
      name: flow.name,
      doc: flow.doc ?? "",
      node: nodeRef("flow", flow.name),
      header: `flows/${file}.hpp`,
      stateHeader: `flows/${file}.state.hpp`,
      source: `${made === undefined ? "src" : "generated"}/flows/${file}.cpp`,
      eventType: speller.message(flow.event),
      userEventType: flow.event === "Handler" ? speller.message(flow.event) : flow.event,
      setting: settingOf(flow.source),
      isGenerated: flow.source.kind === "rate",
      made,
      stages: flow.stages.map((stage, at) => ({
        id: stage.id,
        service: stage.service,
        role: stage.role,
        builderMethod: BUILDER_METHODS[stage.role],
        handlerTypes: (byName.get(stage.service)?.handlers ?? []).map((handler) =>
          speller.own(handler.cppName),
        ),
        after: linksOf(flow, at),
        when: planChoice(flow, at, values, index, speller),
      })),
    };
  });
}

/** The stages it follows, where they are not just the one before it in the list. */
function linksOf(flow: Flow, at: number): string[] {
  const after = [...new Set(flow.stages[at]?.after)];
  const before = flow.stages[at - 1]?.id;
  return after.length === 1 && after[0] === before ? [] : after;
}

/** By which field of what arrives, and for which of its values, the branch of a stage is taken. */
function planChoice(
  flow: Flow,
  at: number,
  values: readonly StageValues[],
  index: TopologyIndex,
  speller: TypeSpeller,
): StagePlan["when"] {
  const { when } = flow.stages[at]!;
  const message = values[at]?.arrives.find((value) => value !== undefined);
  if (when === undefined || message === undefined) return undefined;
  const field = decidingField(index, message);
  if (field === undefined) return undefined;
  const named = typeof when === "string" ? [when] : when;
  return {
    member: `${speller.message(message)}::${field.name}`,
    values: named.map((value) => `${speller.own(field.type)}::${value}`),
  };
}

/** What was drawn, key by key in the order of the format; the runtime has the defaults. */
function settingOf(source: Source): SourceSetting {
  if (source.kind === "rate") return { kind: "rate", perSecond: source.perSecond };
  if (source.kind !== "file") return source as SourceSetting;
  const { loop, ...rest } = source;
  return { ...rest, ...(loop === true ? { loop: true as const } : {}) } as SourceSetting;
}

/** How the fields of its events are made, in the order of the message. */
function madeEvents(flow: Flow, index: TopologyIndex, speller: TypeSpeller): FlowPlan["made"] {
  if (flow.source.kind !== "rate" || flow.source.event === undefined) return undefined;
  const { event } = flow.source;
  const place = `flows/${flow.name}/source/event`;
  return (index.messages.get(flow.event)?.item.fields ?? [])
    .filter(({ name }) => Object.hasOwn(event, name))
    .map((field) =>
      planGenerator(describeField(field, index, speller), event[field.name], `${place}/${field.name}`),
    );
}
