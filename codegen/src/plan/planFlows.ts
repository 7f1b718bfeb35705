import {
  decidingField,
  flowValues,
  indexTopology,
  nodeRef,
  snakeCase,
  madeFields,
  makesEvents,
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
import { planCompositions } from "./planCompositions.js";
import { STANDARD_SOURCES, type SourceManifest, type SourcePalette } from "../model/sources/index.js";
import { ownSourceOf } from "./planOwnSources.js";
import type { FlowPlan, ServicePlan, SourceSetting, StagePlan } from "./projectPlan.js";

const BUILDER_METHODS: Record<StageRole, string> = {
  map: "map",
  "side-effect": "side_effect",
  catch: "catch_failure",
};

/** Flows that run today (others are refused before this). */
export function planFlows(
  topology: Topology,
  services: readonly ServicePlan[],
  sources: SourcePalette,
): FlowPlan[] {
  const speller = new TypeSpeller(topology);
  const byName = new Map(services.map((service) => [service.name, service]));
  const index = indexTopology(topology);
  return topology.flows.map((flow): FlowPlan => {
    const file = snakeCase(flow.name);
    const values = flowValues(flow, index);
    const made = madeEvents(flow, index, speller);
    const stages = flow.stages.map((stage, at): StagePlan => {
      const handlers = byName.get(stage.service)?.handlers ?? [];
      return {
        id: stage.id,
        service: stage.service,
        role: stage.role,
        builderMethod: BUILDER_METHODS[stage.role],
        handlerTypes: handlers.map((handler) => speller.own(handler.cppName)),
        after: linksOf(flow, at),
        when: planChoice(flow, at, values, index, speller),
      };
    });
    return {
      name: flow.name,
      doc: flow.doc ?? "",
      node: nodeRef("flow", flow.name),
      header: `flows/${file}.hpp`,
      stateHeader: `flows/${file}.state.hpp`,
      source: `${made === undefined ? "src" : "generated"}/flows/${file}.cpp`,
      eventType: speller.message(flow.event),
      userEventType: flow.event === "Handler" ? speller.message(flow.event) : flow.event,
      setting: settingOf(flow.source, sources.get(flow.source.kind)),
      isGenerated: makesEvents(flow.source),
      own: STANDARD_SOURCES.has(flow.source.kind) ? undefined : ownSourceOf(flow.source.kind, topology.name),
      made,
      stages,
      compositions: planCompositions(flow, stages, byName),
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

/**
 * What was drawn, key by key in the order of the manifest, flags last; the runtime has the defaults. How events are
 * made is code.
 */
function settingOf({ kind, ...given }: Source, manifest: SourceManifest | undefined): SourceSetting {
  const setting: SourceSetting = { kind };
  const properties = Object.entries(manifest?.settings.properties ?? {});
  const isFlag = ([, { type }]: (typeof properties)[number]): boolean => type === "boolean";
  const ordered = [...properties.filter((one) => !isFlag(one)), ...properties.filter(isFlag)];
  for (const [key, { type, default: standard, additionalProperties }] of ordered) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    const isSaid = value !== undefined && !(type === "boolean" && value === standard);
    if (isSaid && additionalProperties?.format !== "generator") setting[key] = value;
  }
  return setting;
}

/** How the fields of its events are made, in the order of the message. */
function madeEvents(flow: Flow, index: TopologyIndex, speller: TypeSpeller): FlowPlan["made"] {
  const event = madeFields(flow.source);
  if (event === undefined) return undefined;
  const place = `flows/${flow.name}/source/event`;
  return (index.messages.get(flow.event)?.item.fields ?? [])
    .filter(({ name }) => Object.hasOwn(event, name))
    .map((field) =>
      planGenerator(
        describeField(field, flow.event, index, speller),
        event[field.name],
        `${place}/${field.name}`,
      ),
    );
}
