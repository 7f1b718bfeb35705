import { freshSource } from "@penstock/codegen/sources";
import { sourceInfo } from "../../kernel/server/paletteStore.js";
import {
  SOURCE_INPUT,
  stageOutputType,
  type Flow,
  type Service,
  type ServiceKind,
  type Source,
} from "@penstock/codegen/topology";
import type { DocumentModel } from "../../kernel/document/model.js";
import { documentStore, edit } from "../../kernel/document/store.js";
import {
  bundleOfService,
  bundleRef,
  joinBundleOf,
  moveToBundle,
} from "../../kernel/document/edits/bundles.js";
import {
  addFlow,
  firstStageOf,
  flowRef,
  freshFlowName,
  insertStage,
  nodeOfService,
  serviceRef,
} from "../../kernel/document/edits/flows.js";
import { withFirstMessages } from "../../kernel/document/edits/messages.js";
import { placed } from "../../kernel/document/edits/layout.js";
import { addService, freshServiceName, likelyTypes } from "../../kernel/document/edits/services.js";
import { canvasBoxes } from "../geometry/boxes.js";
import { contains } from "../geometry/box.js";
import { connection } from "./connect.js";
import { startNaming } from "../screen/naming.js";
import { freeSpot } from "../geometry/freeSpot.js";
import { nodeSize, serviceTypes, sourceTypes } from "../geometry/nodeSizes.js";
import { parseCanvasRef, PORTS } from "../../kernel/document/canvasRefs.js";

export interface Point {
  x: number;
  y: number;
}
/** The port a line was drawn from when it was dropped on the empty canvas. */
export interface FromPort {
  node: string;
  handle: string;
}

/** What a new service takes and gives, so that it fits the port it is drawn from. */
function fittingTypes(
  model: DocumentModel,
  from: FromPort | undefined,
): Pick<Service, "request" | "response"> {
  const { topology } = model;
  const ref = from ? parseCanvasRef(from.node) : undefined;
  if (from?.handle === PORTS.flowOut && (ref?.kind === "flow" || ref?.kind === "stage")) {
    const given = stageOutputType(topology, ref.flow, ref.kind === "stage" ? ref.stage : SOURCE_INPUT);
    if (given) return { request: given };
  }
  return likelyTypes(topology);
}

/** The bundle whose border is around a point, the innermost last; the only one where there is just one. */
export function bundleAt(model: DocumentModel, point: Point): string | undefined {
  const { bundles } = model.topology;
  if (bundles.length === 1) return bundles[0]?.name;
  const boxes = canvasBoxes(model.topology, model.layout);
  return bundles.findLast((bundle) => {
    const box = boxes.get(bundleRef(bundle.name));
    return box && contains(box, point);
  })?.name;
}

/**
 * Draws a new service at a canvas point, in the bundle there, connected to the port it came from. Without a
 * name the cursor goes into the one that it got.
 */
export function addServiceAt(kind: ServiceKind, at: Point, from?: FromPort, named?: string): string {
  const { topology } = documentStore.getState();
  const name = named ?? freshServiceName(topology, kind);
  edit(
    `Add ${name}`,
    (bare) => {
      const model = withFirstMessages(bare);
      const service: Service = { name, kind, ...fittingTypes(model, from), calls: [], implementations: [] };
      const place = freeSpot(model, at, nodeSize(name, serviceTypes(service), "", 0));
      let next = placed(addService(model, service), { [serviceRef(name)]: place });
      const bundle = bundleAt(model, place) ?? bundleAt(model, at);
      if (bundle !== undefined) next = moveToBundle(next, { services: [name], flows: [] }, bundle);
      if (!from) return next;
      const handle = from.handle === PORTS.callOut ? PORTS.callIn : PORTS.flowIn;
      const verdict = connection(next.topology, from, { node: serviceRef(name), handle });
      return verdict.ok ? verdict.edit(next) : next;
    },
    { select: [] },
  );
  const node = nodeOfService(documentStore.getState().topology, name);
  documentStore.setState({ selection: [node] });
  if (named === undefined) startNaming(node);
  return name;
}

/** What its manifest lets one begin with. */
function newSource(kind: string): Source {
  const manifest = sourceInfo(kind);
  return manifest === undefined ? { kind } : freshSource(manifest);
}

/** Between a source and what it leads into: room for the line and what stands on it. */
const BEFORE = 132;

/** Draws a new service right of a source that leads nowhere yet, and the line to it. */
export function addServiceAfter(flow: string): string {
  const { topology, layout } = documentStore.getState();
  const box = canvasBoxes(topology, layout).get(flowRef(flow));
  const at = box ? { x: box.x + box.width + BEFORE, y: box.y } : { x: 0, y: 0 };
  return addServiceAt("simple", at, { node: flowRef(flow), handle: PORTS.flowOut });
}

/** Draws a new flow before a service that is in none: its source, which leads into it. */
export function addSourceBefore(kind: string, service: string): string {
  const { topology } = documentStore.getState();
  const name = freshFlowName(topology);
  edit(
    `Add source ${name} of ${service}`,
    (model) => {
      const event = model.topology.services.find((item) => item.name === service)?.request ?? "";
      const flow: Flow = { name, event, source: newSource(kind), stages: [] };
      const size = nodeSize(name, sourceTypes(flow), "", 0);
      const box = canvasBoxes(model.topology, model.layout).get(serviceRef(service));
      const at = box ? { x: box.x - BEFORE - size.width, y: box.y } : { x: 0, y: 0 };
      const bundle = bundleOfService(model.topology, service)?.name;
      const drawn = placed(addFlow(model, flow), { [flowRef(name)]: freeSpot(model, at, size) });
      const next =
        bundle === undefined ? drawn : moveToBundle(drawn, { services: [], flows: [name] }, bundle);
      const verdict = connection(
        next.topology,
        { node: flowRef(name), handle: PORTS.flowOut },
        { node: serviceRef(service), handle: PORTS.flowIn },
      );
      return verdict.ok ? verdict.edit(next) : next;
    },
    { select: [flowRef(name)] },
  );
  startNaming(flowRef(name));
  return name;
}

/** The service that is drawn by itself, in no flow, at a canvas point. */
export function loneServiceAt(model: DocumentModel, point: Point): string | undefined {
  for (const [ref, box] of canvasBoxes(model.topology, model.layout)) {
    const parsed = parseCanvasRef(ref);
    if (parsed?.kind === "service" && contains(box, point)) return parsed.service;
  }
  return undefined;
}

/** Draws a new flow: its source, without a stage yet. */
export function addSourceAt(kind: string, at: Point): string {
  const { topology } = documentStore.getState();
  const name = freshFlowName(topology);
  edit(
    `Add source ${name}`,
    (bare) => {
      const model = withFirstMessages(bare);
      const event = likelyTypes(model.topology).request;
      const flow: Flow = { name, event, source: newSource(kind), stages: [] };
      const spot = freeSpot(model, at, nodeSize(name, sourceTypes(flow), "", 0));
      const next = placed(addFlow(model, flow), { [flowRef(name)]: spot });
      const bundle = bundleAt(model, at);
      return bundle === undefined ? next : moveToBundle(next, { services: [], flows: [name] }, bundle);
    },
    { select: [flowRef(name)] },
  );
  startNaming(flowRef(name));
  return name;
}

/** Puts a new service onto a flow edge: it takes and gives what runs there. */
export function addServiceOnEdge(kind: ServiceKind, at: Point, flowName: string, stage: string): string {
  const { topology } = documentStore.getState();
  const name = freshServiceName(topology, kind);
  edit(`Insert ${name}`, (model) => {
    const flow = model.topology.flows.find((item) => item.name === flowName);
    const follower = flow?.stages.find((item) => item.id === stage);
    const type = model.topology.services.find((item) => item.name === follower?.service)?.request ?? "";
    const service: Service = { name, kind, request: type, response: type, calls: [], implementations: [] };
    const spot = freeSpot(model, at, nodeSize(name, serviceTypes(service), "", 0));
    const drawn = placed(addService(model, service), { [serviceRef(name)]: spot });
    const bundle = bundleAt(model, at);
    const inside =
      bundle === undefined ? drawn : moveToBundle(drawn, { services: [name], flows: [] }, bundle);
    return joinBundleOf(insertStage(inside, flowName, name, stage), name, { flow: flowName });
  });
  const place = firstStageOf(documentStore.getState().topology, name);
  if (place) {
    const node = `stage:${place.flow}/${place.stage.id}`;
    documentStore.setState({ selection: [node] });
    startNaming(node);
  }
  return name;
}
