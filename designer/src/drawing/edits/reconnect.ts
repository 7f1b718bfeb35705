import {
  canConnectFlow,
  canFollow,
  emptyLayout,
  predecessorsOf,
  SOURCE_INPUT,
  type Flow,
  type Topology,
} from "@penstock/codegen/topology";
import { joinBundleOf } from "../../kernel/document/edits/bundles.js";
import { changeStage, firstStageOf, serviceRef, stageRef } from "../../kernel/document/edits/flows.js";
import { placed, unplaced } from "../../kernel/document/edits/layout.js";
import { removeCall } from "../../kernel/document/edits/services.js";
import type { DocumentModel } from "../../kernel/document/index.js";
import { parseEdgeId } from "../../kernel/document/edgeIds.js";
import { connection, serviceOfNode, type End, type Verdict } from "./connect.js";
import { parseCanvasRef, PORTS } from "../../kernel/document/canvasRefs.js";

const no = (reason: string): Verdict => ({ ok: false, reason });

/**
 * What dragging an end of a line to another port means: the edit it makes (one step), or why it is
 * refused. A call's line leads to another callee or comes from another caller. A flow's line leads into
 * another service, which takes the stage's place, or comes from another stage before it.
 */
export function reconnection(topology: Topology, edgeId: string, from: End, to: End): Verdict {
  const edge = parseEdgeId(edgeId);
  if (!edge || edge.kind === "catch") return no("A catch stands for all that is before it");
  if (edge.kind !== "call") return relink(topology, edge, from, to);
  const taken = removeCall({ topology, layout: emptyLayout() }, edge.from, edge.to);
  const verdict = connection(taken.topology, from, to);
  return verdict.ok
    ? { ...verdict, edit: (model) => verdict.edit(removeCall(model, edge.from, edge.to)) }
    : verdict;
}

function relink(
  topology: Topology,
  edge: { flow: string; stage: string; predecessor: string | undefined },
  from: End,
  to: End,
): Verdict {
  if (from.handle !== PORTS.flowOut || to.handle !== PORTS.flowIn)
    return no("Flow ports join flow ports: left of the next stage");
  const flow = topology.flows.find(({ name }) => name === edge.flow);
  const at = flow?.stages.findIndex(({ id }) => id === edge.stage) ?? -1;
  const source = parseCanvasRef(from.node);
  if (!flow || at < 0) return no("There is no such stage");
  if ((source?.kind !== "stage" && source?.kind !== "flow") || source.flow !== flow.name)
    return no("A line stays in its flow");
  return to.node === stageRef(flow.name, edge.stage)
    ? comesFrom(topology, flow, at, { from: source.kind === "stage" ? source.stage : SOURCE_INPUT, edge })
    : leadsInto(topology, flow, at, to.node);
}

/** The tail: another stage stands before this one. */
function comesFrom(
  topology: Topology,
  flow: Flow,
  at: number,
  { from, edge }: { from: string; edge: { predecessor: string | undefined } },
): Verdict {
  const stage = flow.stages[at]!;
  const before = predecessorsOf(flow)[at]?.flatMap((index) => flow.stages[index]?.id ?? []) ?? [];
  if (from === SOURCE_INPUT) return no(`${stage.service} cannot follow the source`);
  if (before.includes(from)) return no(`${stage.service} already follows it`);
  const refused = canConnectFlow(topology, flow.name, from, stage.id);
  if (refused) return no(refused.message);
  const old = edge.predecessor ?? before[0];
  const after = before.length < 2 ? [from] : before.map((id) => (id === old ? from : id));
  return {
    ok: true,
    label: `Lead ${from} into ${stage.service}`,
    edit: (model) => changeStage(model, flow.name, stage.id, { after }),
  };
}

/** The head: another service is this stage. What the stage is, and what follows it, stays. */
function leadsInto(topology: Topology, flow: Flow, at: number, node: string): Verdict {
  const stage = flow.stages[at]!;
  const service = serviceOfNode(topology, node);
  const target = parseCanvasRef(node);
  if (service === undefined) return no("A flow leads into services");
  if (target?.kind === "stage")
    return no(`${service} is a stage of a flow already: draw a line of its own to it`);
  const before = predecessorsOf(flow);
  const inputs = before[at]?.flatMap((index) => flow.stages[index]?.id ?? []) ?? [];
  for (const input of inputs.length > 0 ? inputs : [SOURCE_INPUT]) {
    const refused = canFollow(topology, flow.name, input, service, stage.role);
    if (refused) return no(refused.message);
  }
  const changed: Topology = {
    ...topology,
    flows: topology.flows.map((item) =>
      item === flow
        ? { ...flow, stages: flow.stages.map((one) => (one === stage ? { ...one, service } : one)) }
        : item,
    ),
  };
  for (const [index, follower] of flow.stages.entries()) {
    if (!before[index]?.includes(at)) continue;
    const refused = canConnectFlow(changed, flow.name, stage.id, follower.id);
    if (refused) return no(refused.message);
  }
  return {
    ok: true,
    label: `Lead ${flow.name} into ${service}`,
    edit: (model) =>
      joinBundleOf(
        inPlaceOf(changeStage(model, flow.name, stage.id, { service }), stage.service, {
          stage: stageRef(flow.name, stage.id),
          service,
        }),
        service,
        { flow: flow.name },
      ),
  };
}

/** The stage is drawn where its new service stood, and the old one where the stage was. */
function inPlaceOf(
  model: DocumentModel,
  former: string,
  { stage, service }: { stage: string; service: string },
): DocumentModel {
  const { nodes } = model.layout;
  const mine = nodes[serviceRef(service)];
  const was = nodes[stage];
  const alone = firstStageOf(model.topology, former) === undefined;
  return placed(unplaced(model, [serviceRef(service)]), {
    ...(mine ? { [stage]: mine } : {}),
    ...(was && alone ? { [serviceRef(former)]: was } : {}),
  });
}
