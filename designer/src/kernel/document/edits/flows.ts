import {
  decidingField,
  indexTopology,
  madeFields,
  makesEvents,
  type Flow,
  type Join,
  type Stage,
  type StageRole,
  type Topology,
} from "@penstock/codegen/topology";
import { keepsRate, STANDARD_SOURCES } from "@penstock/codegen/sources";
import { removeFlow as flowRemoved, removeStage as stageRemoved } from "@penstock/codegen/rename";
import { madeOnce } from "../madeOnce.js";
import { freshName, patched, replaced, withTopology, type DocumentModel } from "../model.js";
import { rekeyed } from "./layout.js";
import { sharedNames } from "./messages.js";

export const serviceRef = (name: string): string => `service:${name}`;
export const stageRef = (flow: string, id: string): string => `stage:${flow}/${id}`;
export const flowRef = (name: string): string => `flow:${name}`;

export const freshFlowName = (topology: Topology): string => freshName("Events", sharedNames(topology));

export function addFlow(model: DocumentModel, flow: Flow): DocumentModel {
  const { topology } = model;
  return withTopology(model, { ...topology, flows: [...topology.flows, flow] });
}

export function changeFlow(model: DocumentModel, name: string, change: (flow: Flow) => Flow): DocumentModel {
  const { topology } = model;
  const flows = replaced(topology.flows, (flow) => flow.name === name, change);
  return flows === topology.flows ? model : withTopology(model, { ...topology, flows });
}

export const patchFlow = (
  model: DocumentModel,
  name: string,
  patch: { [K in keyof Flow]?: Flow[K] | undefined },
): DocumentModel => changeFlow(model, name, (flow) => patched(flow, patch));

/**
 * Sets the events a second of a flow that makes its own, or the lines a second that one reads at most
 * (undefined: as they come); the rest of its source stays as drawn.
 */
export const setRate = (model: DocumentModel, name: string, perSecond: number | undefined): DocumentModel =>
  changeFlow(model, name, (flow) => {
    const { source } = flow;
    const manifest = STANDARD_SOURCES.get(source.kind);
    const keeps = manifest === undefined ? "may" : keepsRate(manifest);
    // Events that are made are made at some rate.
    if (keeps === "not" || (keeps === "must" && perSecond === undefined)) return flow;
    return patched(flow, { source: patched(source, { perSecond }) });
  });

/** Sets how a rate source makes the fields of its events; with none the user's C++ makes them. */
export const setMadeFields = (
  model: DocumentModel,
  name: string,
  fields: Record<string, unknown>,
): DocumentModel =>
  changeFlow(model, name, (flow) => {
    if (!makesEvents(flow.source)) return flow;
    const event = Object.keys(fields).length > 0 ? fields : undefined;
    return patched(flow, { source: patched(flow.source, { event }) });
  });

/** Whether its events are made by the user's C++, in a file of the flow's own. */
export const hasEventCode = ({ source }: Flow): boolean =>
  makesEvents(source) && madeFields(source) === undefined;

export const changeStage = (
  model: DocumentModel,
  flow: string,
  id: string,
  patch: { [K in keyof Stage]?: Stage[K] | undefined },
): DocumentModel =>
  changeFlow(model, flow, (found) => {
    const stages = replaced(
      found.stages,
      (stage) => stage.id === id,
      (stage) => patched(stage, patch),
    );
    return stages === found.stages ? found : { ...found, stages };
  });

export const setJoin = (
  model: DocumentModel,
  flow: string,
  id: string,
  join: Join | undefined,
): DocumentModel => changeStage(model, flow, id, { join });

/** Takes a stage's branch for these values of what decides before it; without any it is taken always. */
export const setWhen = (
  model: DocumentModel,
  flow: string,
  id: string,
  values: readonly string[],
): DocumentModel => changeStage(model, flow, id, { when: values.length > 1 ? [...values] : values[0] });

/** Puts a stage behind others; behind none but the one before it in the list, which needs no saying. */
export function setAfter(
  model: DocumentModel,
  flowName: string,
  id: string,
  others: readonly string[],
): DocumentModel {
  const stages = model.topology.flows.find((item) => item.name === flowName)?.stages ?? [];
  const before = stages[stages.findIndex((stage) => stage.id === id) - 1]?.id;
  const after = others.every((other) => other === before) ? undefined : [...others];
  return changeStage(model, flowName, id, { after });
}

/** `GetAd` -> `getAd`, unique among the stages. */
export function freshStageId(flow: Flow, service: string): string {
  const base = service.charAt(0).toLowerCase() + service.slice(1);
  return freshName(
    base,
    flow.stages.map((stage) => stage.id),
  );
}

/**
 * Makes a service a stage of a flow behind the stage `after` (undefined: the source, and all else follows it,
 * but for a catch, which goes to the end). As long as the flow is one line it stays one: a side effect goes
 * right behind that stage, a catch to the end, and a map before the catches at the end. Only where another map
 * already follows, or anything behind a stage that decides which branch an event takes, it becomes a branch.
 */
export function appendStage(
  model: DocumentModel,
  flowName: string,
  service: string,
  after: string | undefined,
  role: StageRole = "map",
): DocumentModel {
  const flow = model.topology.flows.find((item) => item.name === flowName);
  if (!flow) return model;
  const id = freshStageId(flow, service);
  const stage: Stage = { id, service, role };
  const at = after === undefined ? 0 : flow.stages.findIndex((item) => item.id === after) + 1;
  const line = flow.stages.every((item) => item.after === undefined);
  const behind = flow.stages.slice(at);
  const lastToAppend = behind.findLastIndex((item) => item.role !== "catch");
  const straight = line && !(lastToAppend >= 0 && decides(model.topology, flow.stages[at - 1]));
  let index = flow.stages.length;
  if (after === undefined) index = role === "catch" ? index : 0;
  else if (straight && role === "side-effect") index = at;
  else if (straight && role === "map" && behind.every((item) => item.role !== "map"))
    index = at + lastToAppend + 1;
  else if (!line || role !== "catch") stage.after = [after];
  const stages = [...flow.stages.slice(0, index), stage, ...flow.stages.slice(index)];
  return drawnAsStage(
    model,
    changeFlow(model, flowName, () => ({ ...flow, stages })),
    flowName,
    id,
    service,
  );
}

/** Whether what a stage gives says which of the branches behind it an event takes. */
function decides(topology: Topology, stage: Stage | undefined): boolean {
  if (stage?.role !== "map") return false;
  const response = topology.services.find((item) => item.name === stage.service)?.response;
  return response !== undefined && decidingField(indexTopology(topology), response) !== undefined;
}

/** The box of a service that was drawn by itself goes to its first stage. */
function drawnAsStage(
  before: DocumentModel,
  after: DocumentModel,
  flow: string,
  id: string,
  service: string,
): DocumentModel {
  return firstStageOf(before.topology, service)
    ? after
    : rekeyed(after, serviceRef(service), stageRef(flow, id));
}

/** Puts a service between a stage and what it follows, on the branch that leads there. */
export function insertStage(
  model: DocumentModel,
  flowName: string,
  service: string,
  before: string,
): DocumentModel {
  const flow = model.topology.flows.find((item) => item.name === flowName);
  const index = flow?.stages.findIndex((stage) => stage.id === before) ?? -1;
  const follower = flow?.stages[index];
  if (!flow || !follower) return model;
  const id = freshStageId(flow, service);
  const inserted: Stage = { id, service, role: "map" };
  if (follower.after) inserted.after = follower.after;
  if (follower.when !== undefined) inserted.when = follower.when;
  const rest = patched(follower, { after: follower.after ? [id] : undefined, when: undefined });
  const stages = [...flow.stages.slice(0, index), inserted, rest, ...flow.stages.slice(index + 1)];
  return drawnAsStage(
    model,
    changeFlow(model, flowName, () => ({ ...flow, stages })),
    flowName,
    id,
    service,
  );
}

export interface StagePlace {
  flow: string;
  stage: Stage;
  index: number;
}

/** Everywhere a service is a stage, in the document's order. */
export const stagesOf = (topology: Topology, service: string): readonly StagePlace[] =>
  stagesByService(topology.flows).get(service) ?? [];

const stagesByService = madeOnce((flows: readonly Flow[]): ReadonlyMap<string, readonly StagePlace[]> => {
  const places = new Map<string, StagePlace[]>();
  for (const flow of flows)
    for (const [index, stage] of flow.stages.entries()) {
      const place = { flow: flow.name, stage, index };
      const known = places.get(stage.service);
      if (known) known.push(place);
      else places.set(stage.service, [place]);
    }
  return places;
});

export const firstStageOf = (topology: Topology, service: string): StagePlace | undefined =>
  stagesOf(topology, service)[0];

/** The canvas node that stands for a service: its first stage, or the service itself. */
export function nodeOfService(topology: Topology, service: string): string {
  const place = firstStageOf(topology, service);
  return place ? stageRef(place.flow, place.stage.id) : serviceRef(service);
}

/** Takes a stage out; what followed it follows what it followed. The service stays, as a service. */
export function removeStage(model: DocumentModel, flowName: string, id: string): DocumentModel {
  const flow = model.topology.flows.find((item) => item.name === flowName);
  const gone = flow?.stages.find((stage) => stage.id === id);
  if (!gone) return model;
  const removed = withTopology(model, stageRemoved(model.topology, flowName, id));
  return firstStageOf(removed.topology, gone.service)
    ? removed
    : rekeyed(removed, stageRef(flowName, id), serviceRef(gone.service));
}

/** Removes a flow; its stages' services stay where they are, as services. */
export function removeFlow(model: DocumentModel, name: string): DocumentModel {
  const flow = model.topology.flows.find((item) => item.name === name);
  if (!flow) return model;
  let next = withTopology(model, flowRemoved(model.topology, name));
  for (const stage of flow.stages) {
    if (!firstStageOf(next.topology, stage.service))
      next = rekeyed(next, stageRef(name, stage.id), serviceRef(stage.service));
  }
  return next;
}
