import type { Layout, Service, Source, Stage, Topology } from "@penstock/codegen/topology";
import type { Node } from "@xyflow/react";
import { type NodeHandle, Position } from "@xyflow/system";
import type { IconKind } from "../kernel/ui/index.js";
import { standardSourceIcon, type SourceIcons } from "../kernel/ui/icons/iconKind.js";
import { bundleOfFlow, bundleOfService, bundleRef } from "../kernel/document/edits/bundles.js";
import { firstStageOf, flowRef, serviceRef, stageRef } from "../kernel/document/edits/flows.js";
import type { Mark } from "../kernel/problems/problemStore.js";
import {
  binaryFrames,
  bundleLabels,
  overlaps,
  servingText,
  type BinaryFrame,
  type FrameLabel,
} from "./geometry/binaryFrames.js";
import type { Box } from "./geometry/box.js";
import { canvasBoxes } from "./geometry/boxes.js";
import { hostTexts } from "./queries/hosts.js";
import { exposedRoutes, type Exposure } from "./queries/exposedRoutes.js";
import { poolChip, typeColor, type Chip } from "./queries/chips.js";
import { PORTS } from "../kernel/document/canvasRefs.js";
import { rowCount } from "./geometry/nodeSizes.js";

export type ServiceNodeData = {
  name: string;
  icon: IconKind;
  request: string;
  response: string | undefined;
  requestColor: string;
  responseColor: string;
  chip: Chip | undefined;
  rows: number;
  /** Named on the node while nothing runs. */
  implementations: readonly string[];
  /** Somebody calls it, it calls somebody: those ports show without being pointed at. */
  called: boolean;
  calls: boolean;
  /** Drawn as a stage: it has flow ports. */
  stage: boolean;
  /** Its value goes on, or (a side effect) its event does. */
  passesOn: boolean;
  missing: boolean;
  /** Where it is asked over HTTP, a line a route; undefined: nowhere. */
  exposure: Exposure | undefined;
  mark: Mark | undefined;
  unwritten: boolean;
  /** A standard node: its look, and its most telling setting. */
  standard: StandardLook | undefined;
};
/** How a node whose handler is generated looks. */
export interface StandardLook {
  icon: string;
  color: string;
  /** `request.total > 100`; "" where nothing of it is short enough. */
  summary: string;
}
export type SourceNodeData = {
  name: string;
  icon: IconKind;
  event: string;
  eventColor: string;
  kind: Source["kind"];
  mark: Mark | undefined;
};
export type BundleNodeData = {
  name: string;
  /** What serves it, where no frame around it says so. */
  binaries: string;
  empty: boolean;
  /** From its left end to its label. */
  labelX: number;
  mark: Mark | undefined;
};
export type FrameNodeData = {
  name: string;
  hint: string;
  empty: boolean;
  label: FrameLabel;
  mark: Mark | undefined;
  /** What is dragged would go here. */
  target: boolean;
};

export type ServiceNode = Node<ServiceNodeData, "service">;
export type SourceNode = Node<SourceNodeData, "source">;
export type BundleNode = Node<BundleNodeData, "bundle">;
/** The frame of a binary: see binaryFrames. */
export type FrameNode = Node<FrameNodeData, "frame">;
export type CanvasNode = ServiceNode | SourceNode | BundleNode | FrameNode;

export interface CanvasExtras {
  marks: ReadonlyMap<string, Mark>;
  unwritten: ReadonlySet<string>;
  /** The look of a service that is a node. */
  lookOf: (service: Service) => StandardLook | undefined;
  sourceIcon: SourceIcons;
}
export const noExtras: CanvasExtras = {
  marks: new Map(),
  unwritten: new Set(),
  lookOf: () => undefined,
  sourceIcon: standardSourceIcon,
};

const stageIcon = (service: Service | undefined, stage: Stage | undefined): IconKind => {
  if (stage?.role === "catch") return "catch";
  return service?.kind ?? "simple";
};

/** Where an edge ends: at the ring of a flow port, at the flat edge of a call port. */
const FLOW_PORT = 11;
const CALL_PORT = { width: 12, height: 4 };
const handle = (id: string, type: "source" | "target", position: Position, box: Box): NodeHandle => {
  const flow = position === Position.Left || position === Position.Right;
  const { width, height } = flow ? { width: FLOW_PORT, height: FLOW_PORT } : CALL_PORT;
  const middle = flow
    ? { x: position === Position.Left ? 0 : box.width, y: FLOW_PORT_Y }
    : { x: box.width / 2, y: position === Position.Top ? 0 : box.height };
  return { id, type, position, x: middle.x - width / 2, y: middle.y - height / 2, width, height };
};
/** Flow ports sit beside the header, at one height on every node, so that a line of stages is straight. */
export const FLOW_PORT_Y = 33;

const callHandles = (box: Box): NodeHandle[] => [
  handle(PORTS.callIn, "target", Position.Top, box),
  handle(PORTS.callOut, "source", Position.Bottom, box),
];

type NodeBase = Pick<
  CanvasNode,
  "position" | "width" | "height" | "measured" | "parentId" | "selected" | "zIndex" | "ariaLabel"
>;
/** Frames lie below bundles; React Flow lifts what is selected by so much, and with it what lies on the frame would be under it. */
const FRAME_Z = -2;
const SELECTED_Z = 1000;

/** Position relative to the bundle it is in, sizes and handles given, so that nothing is measured. */
function base(
  box: Box,
  parent: { ref: string; box: Box } | undefined,
  selected: boolean,
  label: string,
): NodeBase {
  const { width, height } = box;
  const position = parent ? { x: box.x - parent.box.x, y: box.y - parent.box.y } : { x: box.x, y: box.y };
  return {
    position,
    width,
    height,
    measured: { width, height },
    selected,
    ariaLabel: label,
    ...(parent ? { parentId: parent.ref } : {}),
  };
}

/**
 * The topology and the layout as React Flow nodes: the only place where one becomes the other.
 * A service that is a stage is drawn once per stage and not by itself. No live figure in here.
 */
export function toCanvasNodes(
  topology: Topology,
  layout: Layout,
  selection: readonly string[],
  extras: CanvasExtras = noExtras,
): CanvasNode[] {
  const boxes = canvasBoxes(topology, layout);
  const selected = new Set(selection);
  const services = new Map(topology.services.map((service) => [service.name, service]));
  const called = new Set(topology.services.flatMap((service) => service.calls));
  const exposures = exposedRoutes(topology);
  const frames = binaryFrames(topology, boxes);
  const labels = bundleLabels(topology, boxes);
  const nodes: CanvasNode[] = [];

  const parentOf = (bundle: string | undefined) => {
    const ref = bundle === undefined ? undefined : bundleRef(bundle);
    const box = ref === undefined ? undefined : boxes.get(ref);
    return ref !== undefined && box ? { ref, box } : undefined;
  };

  for (const bundle of topology.bundles) {
    const ref = bundleRef(bundle.name);
    const box = boxes.get(ref);
    // The bundle that a new project begins with shows with what is drawn first.
    if (!box || (topology.bundles.length === 1 && boxes.size === 1)) continue;
    nodes.push({
      id: ref,
      type: "bundle",
      ...base(box, undefined, selected.has(ref), `Bundle ${bundle.name}`),
      dragHandle: ".bundle-label",
      // None, and said so: one whose ports are unknown is drawn even out of sight.
      handles: [],
      zIndex: -1,
      data: {
        name: bundle.name,
        binaries: binaryLabel(topology, bundle.name, box, frames),
        empty: bundle.services.length === 0 && bundle.flows.length === 0,
        labelX: (labels.get(ref)?.x ?? box.x) - box.x,
        mark: extras.marks.get(ref),
      },
    } satisfies BundleNode);
  }

  const serviceNode = (ref: string, name: string, stage: Stage | undefined) => {
    const box = boxes.get(ref);
    if (!box) return;
    const service = services.get(name);
    const handles = [...callHandles(box)];
    handles.push(handle(PORTS.flowIn, "target", Position.Left, box));
    const passesOn = stage !== undefined && (stage.role === "side-effect" || service?.response !== undefined);
    if (passesOn) handles.push(handle(PORTS.flowOut, "source", Position.Right, box));
    const request = service?.request || "no request";
    nodes.push({
      id: ref,
      type: "service",
      ...base(box, parentOf(bundleOfService(topology, name)?.name), selected.has(ref), `Service ${name}`),
      handles,
      data: {
        name,
        icon: stageIcon(service, stage),
        request: service ? request : "no such service",
        response: service?.response,
        requestColor: typeColor(topology, service?.request),
        responseColor: typeColor(
          topology,
          stage?.role === "side-effect" ? service?.request : service?.response,
        ),
        chip: service ? poolChip(topology, service, stage) : { label: "missing", tone: "bad" },
        rows: rowCount(service),
        implementations: service?.implementations ?? [],
        called: called.has(name),
        calls: (service?.calls.length ?? 0) > 0,
        stage: stage !== undefined,
        passesOn,
        missing: service === undefined,
        exposure: exposures.get(name),
        mark: extras.marks.get(ref) ?? extras.marks.get(serviceRef(name)),
        unwritten: extras.unwritten.has(name),
        standard: service && extras.lookOf(service),
      },
    } satisfies ServiceNode);
  };

  for (const flow of topology.flows) {
    const ref = flowRef(flow.name);
    const box = boxes.get(ref);
    if (box) {
      nodes.push({
        id: ref,
        type: "source",
        ...base(
          box,
          parentOf(bundleOfFlow(topology, flow.name)?.name),
          selected.has(ref),
          `Source ${flow.name}`,
        ),
        handles: [handle(PORTS.flowOut, "source", Position.Right, box)],
        data: {
          name: flow.name,
          icon: extras.sourceIcon(flow.source.kind),
          event: flow.event || "no event",
          eventColor: typeColor(topology, flow.event),
          kind: flow.source.kind,
          mark: extras.marks.get(ref),
        },
      } satisfies SourceNode);
    }
    for (const stage of flow.stages) serviceNode(stageRef(flow.name, stage.id), stage.service, stage);
  }
  for (const service of topology.services)
    if (!firstStageOf(topology, service.name)) serviceNode(serviceRef(service.name), service.name, undefined);
  if (nodes.length === 0) return nodes;
  return [...frameNodes(frames, selected, extras), ...nodes];
}

function frameNodes(
  frames: readonly BinaryFrame[],
  selected: ReadonlySet<string>,
  { marks }: CanvasExtras,
): FrameNode[] {
  return frames.map(({ ref, binary, hint, empty, label, ...box }) => {
    const isSelected = selected.has(ref);
    return {
      id: ref,
      type: "frame",
      ...base(box, undefined, isSelected, `Binary ${binary.name}`),
      // Its label selects it, and moves what is in it; a lasso means what is in it.
      ...(empty ? { draggable: false } : {}),
      dragHandle: ".frame-label",
      selectable: false,
      focusable: false,
      ariaRole: "group",
      handles: [],
      zIndex: isSelected ? FRAME_Z - SELECTED_Z : FRAME_Z,
      data: {
        name: binary.name,
        hint,
        empty,
        label,
        mark: marks.get(ref),
        target: false,
      },
    };
  });
}

/**
 * `ads-server ×2 · :7400`: what serves a bundle, in how many processes, and where it listens; "" where its frame says so,
 * and no other one lies over it.
 */
function binaryLabel(topology: Topology, bundle: string, box: Box, frames: readonly BinaryFrame[]): string {
  const serving = topology.binaries.filter((binary) => binary.bundles.includes(bundle));
  const [only, another] = serving;
  if (!only) return "no binary";
  const isPlain =
    !another && frames.every(({ binary, ...frame }) => binary === only || !overlaps(frame, box));
  if (isPlain && frames.length > 0) return "";
  return servingText(serving, hostTexts(topology));
}
