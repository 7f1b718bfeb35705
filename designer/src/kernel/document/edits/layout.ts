import type { NodeLayout } from "@penstock/codegen/topology";
import { withLayout, type DocumentModel } from "../model.js";

/** Grid of the canvas, px; positions that a person sets lie on it unless Alt is held. */
export const GRID = 11;

export const snapped = (value: number): number => Math.round(value / GRID) * GRID;

/** Puts nodes where `boxes` says (absolute canvas coordinates); the rest stays. */
export function placed(model: DocumentModel, boxes: Readonly<Record<string, NodeLayout>>): DocumentModel {
  const nodes = { ...model.layout.nodes };
  let changed = false;
  for (const [ref, box] of Object.entries(boxes)) {
    const old = nodes[ref];
    if (old && old.x === box.x && old.y === box.y && old.width === box.width && old.height === box.height)
      continue;
    nodes[ref] = box;
    changed = true;
  }
  return changed ? withLayout(model, { ...model.layout, nodes }) : model;
}

/** Forgets where nodes are, so that they are laid out again. */
export function unplaced(model: DocumentModel, refs: Iterable<string>): DocumentModel {
  const nodes = { ...model.layout.nodes };
  let changed = false;
  for (const ref of refs) {
    if (!(ref in nodes)) continue;
    delete nodes[ref];
    changed = true;
  }
  return changed ? withLayout(model, { ...model.layout, nodes }) : model;
}

/** Gives the box of one node to another reference (a service that becomes a stage, a rename). */
export function rekeyed(model: DocumentModel, from: string, to: string): DocumentModel {
  const box = model.layout.nodes[from];
  if (!box || from === to) return model;
  const nodes = { ...model.layout.nodes, [to]: box };
  delete nodes[from];
  return withLayout(model, { ...model.layout, nodes });
}
