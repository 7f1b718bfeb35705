import type { DocumentModel } from "../../kernel/document/model.js";
import { documentStore, edit } from "../../kernel/document/store.js";
import { removeBinary, removePool } from "../../kernel/document/edits/binaries.js";
import { removeBundle } from "../../kernel/document/edits/bundles.js";
import { changeStage, removeFlow, removeStage, stagesOf } from "../../kernel/document/edits/flows.js";
import { removeCall } from "../../kernel/document/edits/services.js";
import { removeMessageOrEnum, removeService } from "../../kernel/document/edits/remove.js";
import { parseEdgeId } from "../../kernel/document/edgeIds.js";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";
import { parseNodeRef } from "@penstock/codegen/topology";
import { flowLinks } from "../queries/links.js";

/** Takes one edge away: a call, a predecessor of a stage, or the stage out of its flow. */
function removeEdge(model: DocumentModel, id: string): DocumentModel {
  const edge = parseEdgeId(id);
  if (!edge) return model;
  if (edge.kind === "call") return removeCall(model, edge.from, edge.to);
  const flow = model.topology.flows.find((item) => item.name === edge.flow);
  const stage = flow?.stages.find((item) => item.id === edge.stage);
  if (!flow || !stage) return model;
  const gives = new Set(model.topology.services.filter((item) => item.response).map((item) => item.name));
  const into = flowLinks(flow, (name) => gives.has(name)).filter((link) => link.to === edge.stage);
  if (into.length < 2) return removeStage(model, edge.flow, edge.stage);
  const gone = edge.predecessor ?? into[0]?.from;
  const after = into.flatMap((link) => (link.from === gone || link.from === undefined ? [] : [link.from]));
  return changeStage(model, edge.flow, edge.stage, { after });
}

/**
 * Removes what a node shows: a stage goes with its service unless that is drawn or asked elsewhere,
 * in which case only the stage goes.
 */
function removeNode(model: DocumentModel, ref: string): DocumentModel {
  const canvasRef = parseCanvasRef(ref);
  if (canvasRef?.kind === "service") return removeService(model, canvasRef.service);
  if (canvasRef?.kind === "flow") return removeFlow(model, canvasRef.flow);
  if (canvasRef?.kind === "bundle") return removeBundle(model, canvasRef.bundle);
  if (canvasRef?.kind === "stage") {
    const flow = model.topology.flows.find((item) => item.name === canvasRef.flow);
    const service = flow?.stages.find((item) => item.id === canvasRef.stage)?.service;
    if (service === undefined) return model;
    const next = removeStage(model, canvasRef.flow, canvasRef.stage);
    const called = next.topology.services.some((item) => item.calls.includes(service));
    return called || stagesOf(next.topology, service).length > 0 ? next : removeService(next, service);
  }
  const parsed = parseNodeRef(ref);
  const [first, second] = parsed?.path ?? [];
  if (!parsed || first === undefined) return model;
  if (parsed.kind === "message" || parsed.kind === "enum")
    return removeMessageOrEnum(model, parsed.kind, first);
  if (parsed.kind === "binary") return removeBinary(model, first);
  if (parsed.kind === "pool" && second !== undefined) return removePool(model, first, second);
  return model;
}

/** Removes everything named, edges first, as one step. */
export function removeThings(ids: readonly string[]): boolean {
  if (ids.length === 0) return false;
  const edges = ids.filter((id) => parseEdgeId(id));
  const nodes = ids.filter((id) => !parseEdgeId(id));
  const label = ids.length === 1 ? `Delete ${nameOf(ids[0] ?? "")}` : `Delete ${ids.length} things`;
  return edit(
    label,
    (model) => {
      const withoutEdges = edges.reduce(removeEdge, model);
      // Services before stages: a stage whose service is going needs no second life as a service.
      const ordered = [...nodes].sort(
        (a, b) => Number(a.startsWith("bundle:")) - Number(b.startsWith("bundle:")),
      );
      return ordered.reduce(removeNode, withoutEdges);
    },
    { select: [] },
  );
}

export const removeSelection = (): boolean => removeThings(documentStore.getState().selection);

/** Only the stage; its service stays drawn. */
export const removeFromFlow = (flow: string, stage: string): boolean =>
  edit(`Take ${stage} out of ${flow}`, (model) => removeStage(model, flow, stage), { select: [] });

const nameOf = (id: string): string => id.replace(/^[a-z]+:/, "").replace(/^.*\//, "");
