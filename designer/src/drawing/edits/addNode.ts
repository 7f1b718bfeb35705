import { SOURCE_INPUT, stageOutputType, type Stage, type Topology } from "@penstock/codegen/topology";
import { type NodeManifest } from "@penstock/codegen/manifests";
import { bundleAt, type FromPort, type Point } from "./add.js";
import { canvasBoxes } from "../geometry/boxes.js";
import { freeSpot } from "../geometry/freeSpot.js";
import { middleOfCanvas } from "../screen/instance.js";
import { parseCanvasRef, PORTS } from "../../kernel/document/canvasRefs.js";
import { nodeSize, serviceTypes } from "../geometry/nodeSizes.js";
import type { DocumentModel } from "../../kernel/document/model.js";
import { documentStore, edit } from "../../kernel/document/store.js";
import { reveal } from "../../kernel/document/workbench.js";
import { joinBundleOf, moveToBundle } from "../../kernel/document/edits/bundles.js";
import {
  appendStage,
  changeStage,
  firstStageOf,
  flowRef,
  insertStage,
  nodeOfService,
  serviceRef,
  stageRef,
} from "../../kernel/document/edits/flows.js";
import { placed } from "../../kernel/document/edits/layout.js";
import { addService } from "../../kernel/document/edits/services.js";
import { freshNode } from "./freshNode.js";

/** Where in a flow a new node goes: behind a stage, or behind the source. */
interface Behind {
  flow: string;
  stage: string | undefined;
}

/** The flow's end that a port or the selection stands for; the only flow where there is just one. */
function behindOf(topology: Topology, node: string | undefined): Behind | undefined {
  const ref = node === undefined ? undefined : parseCanvasRef(node);
  if (ref?.kind === "stage") return { flow: ref.flow, stage: ref.stage };
  if (ref?.kind === "flow") return { flow: ref.flow, stage: undefined };
  const [only] = topology.flows;
  if (node !== undefined || only === undefined || topology.flows.length > 1) return undefined;
  return { flow: only.name, stage: only.stages.findLast((stage) => stage.role !== "catch")?.id };
}

/** What comes out there: a side effect passes on what it was given. */
export function givenBehind(topology: Topology, { flow, stage }: Behind): string | undefined {
  return stageOutputType(topology, flow, stage ?? SOURCE_INPUT);
}

/**
 * Draws a node at a canvas point as one step: its service and, behind the port it is drawn from (else
 * behind the selected stage, else at the end of the only flow), its stage. Without a point it stands
 * right of what it follows.
 */
export function addNodeAt(manifest: NodeManifest, asked: Point | undefined, from?: FromPort): string {
  const { topology, selection } = documentStore.getState();
  const flowPort = from?.handle === PORTS.flowOut ? from.node : undefined;
  const behind =
    from === undefined ? behindOf(topology, selectedNode(selection)) : behindOf(topology, flowPort);
  const service = freshNode(topology, manifest, behind && givenBehind(topology, behind));
  const role = manifest.roles[0] ?? "map";
  const at = asked ?? placeBehind(behind);
  edit(
    `Add ${service.name}`,
    (model) => {
      const drawn = drawnAt(model, service, at);
      if (behind === undefined) return drawn;
      const staged = appendStage(drawn, behind.flow, service.name, behind.stage, role);
      return joinBundleOf(withRole(staged, service.name, role), service.name, { flow: behind.flow });
    },
    { select: [] },
  );
  const node = nodeOfService(documentStore.getState().topology, service.name);
  if (asked === undefined) reveal(node);
  else documentStore.setState({ selection: [node] });
  return service.name;
}

/** Space between a stage and the one drawn behind it, px at zoom 1: the slot between them shows. */
const GAP = 84;

function placeBehind(behind: Behind | undefined): Point {
  const { topology, layout } = documentStore.getState();
  const ref =
    behind && (behind.stage === undefined ? flowRef(behind.flow) : stageRef(behind.flow, behind.stage));
  const box = ref === undefined ? undefined : canvasBoxes(topology, layout).get(ref);
  return box ? { x: box.x + box.width + GAP, y: box.y } : middleOfCanvas();
}

/** Puts a node onto a flow edge, before the stage there, as one step. */
export function addNodeOnEdge(manifest: NodeManifest, at: Point, flow: string, stage: string): string {
  const { topology } = documentStore.getState();
  const follower = topology.flows
    .find((item) => item.name === flow)
    ?.stages.find((item) => item.id === stage)?.service;
  const request = topology.services.find((item) => item.name === follower)?.request;
  const service = freshNode(topology, manifest, request);
  edit(`Insert ${service.name}`, (model) => {
    const inserted = insertStage(drawnAt(model, service, at), flow, service.name, stage);
    const role = manifest.roles[0] ?? "map";
    return joinBundleOf(withRole(inserted, service.name, role), service.name, { flow });
  });
  documentStore.setState({ selection: [nodeOfService(documentStore.getState().topology, service.name)] });
  return service.name;
}

const selectedNode = (selection: readonly string[]): string | undefined =>
  selection.length === 1 && /^(stage|flow):/.test(selection[0] ?? "") ? selection[0] : undefined;

function drawnAt(model: DocumentModel, service: ReturnType<typeof freshNode>, at: Point): DocumentModel {
  const place = freeSpot(model, at, nodeSize(service.name, serviceTypes(service), "", 0));
  const next = placed(addService(model, service), { [serviceRef(service.name)]: place });
  const bundle = bundleAt(model, place) ?? bundleAt(model, at);
  return bundle === undefined ? next : moveToBundle(next, { services: [service.name], flows: [] }, bundle);
}

function withRole(model: DocumentModel, service: string, role: Stage["role"]): DocumentModel {
  const place = firstStageOf(model.topology, service);
  return place ? changeStage(model, place.flow, place.stage.id, { role }) : model;
}
