import type { Layout, Topology } from "@penstock/codegen/topology";
import type { DocumentModel } from "../../kernel/document/index.js";
import { madeOnce } from "../../kernel/document/madeOnce.js";
import { bundleOfFlow, bundleOfService, bundleRef } from "../../kernel/document/edits/bundles.js";
import { firstStageOf, flowRef, serviceRef, stageRef } from "../../kernel/document/edits/flows.js";
import { placed } from "../../kernel/document/edits/layout.js";
import type { Box, Item } from "./box.js";
import { poolChip } from "../queries/chips.js";
import {
  BUNDLE_HEADER,
  BUNDLE_PADDING,
  EMPTY_BUNDLE,
  nodeSize,
  rowCount,
  serviceTypes,
  sourceTypes,
} from "./nodeSizes.js";
import { suggestedPlaces } from "./placement.js";

/** Every service, stage and source that has a node, in a stable order. */
export const drawnItems = madeOnce((topology: Topology): readonly Item[] => {
  const items: Item[] = [];
  const services = new Map(topology.services.map((service) => [service.name, service]));
  for (const flow of topology.flows) {
    const bundle = bundleOfFlow(topology, flow.name)?.name;
    items.push({ ref: flowRef(flow.name), size: nodeSize(flow.name, sourceTypes(flow), "", 0), bundle });
    for (const stage of flow.stages) {
      const service = services.get(stage.service);
      const chip = service ? (poolChip(topology, service, stage)?.label ?? "") : "missing";
      const types = service ? serviceTypes(service) : "no such service";
      items.push({
        ref: stageRef(flow.name, stage.id),
        size: nodeSize(stage.service, types, chip, rowCount(service)),
        bundle: bundleOfService(topology, stage.service)?.name,
      });
    }
  }
  for (const service of topology.services) {
    if (firstStageOf(topology, service.name)) continue;
    const chip = poolChip(topology, service)?.label ?? "";
    items.push({
      ref: serviceRef(service.name),
      size: nodeSize(service.name, serviceTypes(service), chip, rowCount(service)),
      bundle: bundleOfService(topology, service.name)?.name,
    });
  }
  return items;
});

/** Where everything is, in absolute canvas coordinates; what has no place yet gets a suggested one. */
export function canvasBoxes(topology: Topology, layout: Layout): Map<string, Box> {
  const boxes = new Map<string, Box>();
  const items = drawnItems(topology);
  const missing: Item[] = [];
  for (const item of items) {
    const place = layout.nodes[item.ref];
    if (place) boxes.set(item.ref, { x: place.x, y: place.y, ...item.size });
    else missing.push(item);
  }
  if (missing.length > 0)
    for (const [ref, box] of suggestedPlaces(topology, missing, boxes)) boxes.set(ref, box);

  const members = new Map<string, Box[]>();
  for (const item of items) {
    const box = boxes.get(item.ref);
    if (!item.bundle || !box) continue;
    const list = members.get(item.bundle);
    if (list) list.push(box);
    else members.set(item.bundle, [box]);
  }
  let free = 0;
  for (const bundle of topology.bundles) {
    const ref = bundleRef(bundle.name);
    const fitted = around(members.get(bundle.name) ?? []);
    const stored = layout.nodes[ref];
    if (fitted) boxes.set(ref, stored?.width && stored.height ? joined(fitted, stored as Box) : fitted);
    else {
      const at = stored ?? { x: free * (EMPTY_BUNDLE.width + 44), y: -EMPTY_BUNDLE.height - 88 };
      if (!stored) free += 1;
      boxes.set(ref, {
        x: at.x,
        y: at.y,
        width: stored?.width ?? EMPTY_BUNDLE.width,
        height: stored?.height ?? EMPTY_BUNDLE.height,
      });
    }
  }
  return boxes;
}

/** Writes down where things are drawn that nobody has placed yet, so that they stay there. */
export function keepPlaces(model: DocumentModel): DocumentModel {
  const missing = drawnItems(model.topology).filter((item) => !model.layout.nodes[item.ref]);
  if (missing.length === 0) return model;
  const boxes = canvasBoxes(model.topology, model.layout);
  const places = missing.flatMap(({ ref }) => {
    const box = boxes.get(ref);
    return box ? [[ref, { x: box.x, y: box.y }] as const] : [];
  });
  return placed(model, Object.fromEntries(places));
}

/** The bundle's border around its members. */
export function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x)) - BUNDLE_PADDING;
  const y = Math.min(...boxes.map((box) => box.y)) - BUNDLE_HEADER;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + BUNDLE_PADDING;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + BUNDLE_PADDING;
  return { x, y, width: right - x, height: bottom - y };
}

/** A border that a person made larger stays larger, and grows with what is in it. */
function joined(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
