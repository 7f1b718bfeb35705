import type { DocumentModel } from "../../kernel/document/model.js";
import { documentStore, edit } from "../../kernel/document/store.js";
import { removeBinary, removePool } from "../../kernel/document/edits/binaries.js";
import { removeBundle } from "../../kernel/document/edits/bundles.js";
import { changeStage, removeFlow, removeStage, stagesOf } from "../../kernel/document/edits/flows.js";
import { removeCall } from "../../kernel/document/edits/services.js";
import { removeMessageOrEnum, removeService } from "../../kernel/document/edits/remove.js";
import { parseEdgeId } from "../../kernel/document/edgeIds.js";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";
import { parseNodeRef, type Topology } from "@penstock/codegen/topology";
import { flowLinks } from "../queries/links.js";
import { toCanvasEdges } from "../toCanvasEdges.js";
import { serviceOfNode } from "./connect.js";

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

/** Removes what a node shows; of a stage only its place in the flow. */
function removeNode(model: DocumentModel, ref: string): DocumentModel {
  const canvasRef = parseCanvasRef(ref);
  if (canvasRef?.kind === "service") return removeService(model, canvasRef.service);
  if (canvasRef?.kind === "flow") return removeFlow(model, canvasRef.flow);
  if (canvasRef?.kind === "bundle") return removeBundle(model, canvasRef.bundle);
  if (canvasRef?.kind === "stage") return removeStage(model, canvasRef.flow, canvasRef.stage);
  const parsed = parseNodeRef(ref);
  const [first, second] = parsed?.path ?? [];
  if (!parsed || first === undefined) return model;
  if (parsed.kind === "message" || parsed.kind === "enum")
    return removeMessageOrEnum(model, parsed.kind, first);
  if (parsed.kind === "binary") return removeBinary(model, first);
  if (parsed.kind === "pool" && second !== undefined) return removePool(model, first, second);
  return model;
}

/**
 * Removes what nodes show: a stage goes with its service unless that is drawn or asked elsewhere, in which case
 * only the stage goes.
 */
function removeNodes(model: DocumentModel, refs: readonly string[]): DocumentModel {
  const of = (...kinds: readonly (string | undefined)[]) =>
    refs.filter((ref) => kinds.includes(parseCanvasRef(ref)?.kind));
  const staged = of("stage").flatMap((ref) => serviceOfNode(model.topology, ref) ?? []);
  // A stage is found by its flow, and what a binary serves by its bundles.
  const left = [...of("stage"), ...of("flow"), ...of("service", undefined)].reduce(removeNode, model);
  const without = unusedOf(left.topology, staged).reduce(removeService, left);
  return of("bundle").reduce(removeNode, without);
}

/** Those of the named services that are no stage, and that nobody who is kept asks. */
function unusedOf(topology: Topology, names: readonly string[]): string[] {
  const unused = new Set(names.filter((name) => stagesOf(topology, name).length === 0));
  const kept = topology.services.filter(({ name }) => !unused.has(name));
  // What is asked by one that is kept is kept, and so is what that one asks.
  for (const { calls } of kept)
    kept.push(...topology.services.filter(({ name }) => calls.includes(name) && unused.delete(name)));
  return [...unused];
}

/**
 * Removes everything named as one step. Lines at a named node are no matter of their own: a lasso takes them
 * along, wherever their other end is.
 */
export function removeThings(ids: readonly string[]): boolean {
  if (ids.length === 0) return false;
  const nodes = ids.filter((id) => !parseEdgeId(id));
  const atNodes = new Set(
    toCanvasEdges(documentStore.getState().topology, [])
      .filter(({ source, target }) => nodes.includes(source) || nodes.includes(target))
      .map(({ id }) => id),
  );
  const edges = ids.filter((id) => parseEdgeId(id) && !atNodes.has(id));
  const things = [...edges, ...nodes];
  const label = things.length === 1 ? `Delete ${nameOf(things[0] ?? "")}` : `Delete ${things.length} things`;
  return edit(label, (model) => removeNodes(edges.reduce(removeEdge, model), nodes), { select: [] });
}

export const removeSelection = (): boolean => removeThings(documentStore.getState().selection);

/** Only the stage; its service stays drawn. */
export const removeFromFlow = (flow: string, stage: string): boolean =>
  edit(`Take ${stage} out of ${flow}`, (model) => removeStage(model, flow, stage), { select: [] });

const nameOf = (id: string): string => id.replace(/^[a-z]+:/, "").replace(/^.*\//, "");
