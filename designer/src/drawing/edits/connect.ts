import {
  canConnectCall,
  canConnectFlow,
  canFollow,
  FAILURE,
  predecessorsOf,
  SOURCE_INPUT,
  wayOfCalls,
  type Flow,
  type StageRole,
  type Topology,
} from "@penstock/codegen/topology";
import type { Edit } from "../../kernel/document/index.js";
import { appendStage, changeStage, patchFlow } from "../../kernel/document/edits/flows.js";
import { joinBundleOf } from "../../kernel/document/edits/bundles.js";
import { addCall } from "../../kernel/document/edits/services.js";
import { parseCanvasRef, PORTS } from "../../kernel/document/canvasRefs.js";

/** One end of a line being drawn. */
export interface End {
  node: string;
  handle: string | null | undefined;
}
/** `note`: what the one who draws should know about a line that is taken all the same. */
export type Verdict = { ok: true; label: string; edit: Edit; note?: string } | { ok: false; reason: string };

const no = (reason: string): Verdict => ({ ok: false, reason });

/** The service that a canvas node carries. */
export function serviceOfNode(topology: Topology, node: string): string | undefined {
  const ref = parseCanvasRef(node);
  if (ref?.kind === "service") return ref.service;
  if (ref?.kind !== "stage") return undefined;
  return topology.flows.find((flow) => flow.name === ref.flow)?.stages.find((stage) => stage.id === ref.stage)
    ?.service;
}

/**
 * What drawing a line from one port to another means: the edit it makes, or why it is refused, in
 * the words shown at the pointer. Asked at every pointer move over a port, so it is kept cheap.
 */
export function connection(topology: Topology, from: End, to: End): Verdict {
  if (from.node === to.node && from.handle !== PORTS.callOut) return no("A stage cannot follow itself");
  if (from.handle === PORTS.callOut) {
    if (to.handle !== PORTS.callIn)
      return no("Calls go from the lower port of one service to the upper port of another");
    return call(topology, from.node, to.node);
  }
  if (from.handle === PORTS.flowOut) {
    if (to.handle !== PORTS.flowIn) return no("Flow ports join flow ports: left of the next stage");
    return flow(topology, from.node, to.node);
  }
  return no("Draw from an outgoing port");
}

function call(topology: Topology, fromNode: string, toNode: string): Verdict {
  const from = serviceOfNode(topology, fromNode);
  const to = serviceOfNode(topology, toNode);
  if (!from || !to) return no("Only services call and are called");
  const refusal = canConnectCall(topology, from, to);
  if (refusal) return no(refusal.message);
  const back = wayOfCalls(topology, to, from);
  return {
    ok: true,
    ...(back ? { note: `The calls go in a circle now: ${[from, ...back].join(" → ")}` } : {}),
    label: `Call ${to} from ${from}`,
    edit: (model) => joinBundleOf(addCall(model, from, to), to, { service: from }),
  };
}

/** The role a service most likely has behind a stage: a catch takes failures, one without response looks on. */
export function likelyRole(topology: Topology, service: string): StageRole {
  const found = topology.services.find((item) => item.name === service);
  if (found?.request === FAILURE) return "catch";
  return found?.response === undefined ? "side-effect" : "map";
}

function flow(topology: Topology, fromNode: string, toNode: string): Verdict {
  const source = parseCanvasRef(fromNode);
  const target = parseCanvasRef(toNode);
  if (source?.kind !== "flow" && source?.kind !== "stage")
    return no("This service is in no flow yet: draw from a source to it first");
  const found = topology.flows.find((item) => item.name === source.flow);
  const service = serviceOfNode(topology, toNode);
  if (!found || !service || !target) return no("A flow leads into services");
  const after = source.kind === "stage" ? source.stage : undefined;
  if (target.kind === "stage" && target.flow === source.flow)
    return linkStages(topology, found, after, target.stage);
  const role = likelyRole(topology, service);
  const taken = topology.services.find((item) => item.name === service)?.request;
  if (found.stages.length === 0 && role !== "catch" && taken && taken !== found.event) {
    // Nothing hangs on the event yet: it becomes what the first stage takes.
    return {
      ok: true,
      label: `Lead ${taken} from ${found.name} into ${service}`,
      edit: (model) =>
        joinBundleOf(
          appendStage(patchFlow(model, found.name, { event: taken }), found.name, service, after, role),
          service,
          { flow: found.name },
        ),
    };
  }
  const refused = canFollow(topology, found.name, after ?? SOURCE_INPUT, service, role);
  if (refused) return no(refused.message);
  if (after === undefined && role === "map" && found.stages.length > 0) {
    const first = found.stages[0]?.service;
    const gives = topology.services.find((item) => item.name === service)?.response;
    if (gives !== found.event)
      return no(`${service} would stand before ${first} and give it ${gives}: draw from ${first} instead`);
  }
  return {
    ok: true,
    label: `Add ${service} to ${found.name}`,
    edit: (model) =>
      joinBundleOf(appendStage(model, found.name, service, after, role), service, { flow: found.name }),
  };
}

function linkStages(topology: Topology, flow: Flow, after: string | undefined, to: string): Verdict {
  const index = flow.stages.findIndex((item) => item.id === to);
  const stage = flow.stages[index];
  if (!stage) return no("There is no such stage");
  const already = predecessorsOf(flow)[index]?.flatMap((at) => flow.stages[at]?.id ?? []) ?? [];
  if (after === undefined)
    return no(`${stage.service} ${index === 0 ? "already follows" : "cannot follow"} the source`);
  if (already.includes(after)) return no(`${stage.service} already follows it`);
  const refused = canConnectFlow(topology, flow.name, after, to);
  if (refused) return no(refused.message);
  return {
    ok: true,
    label: `Lead ${flow.name} into ${stage.service}`,
    edit: (model) => changeStage(model, flow.name, to, { after: [...already, after] }),
  };
}
