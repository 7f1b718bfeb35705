import type { NodeLayout } from "@penstock/codegen/topology";
import { documentStore, edit } from "../../kernel/document/store.js";
import {
  bundleOfFlow,
  bundleOfService,
  bundleRef,
  moveToBundle,
} from "../../kernel/document/edits/bundles.js";
import { moveBundle } from "../../kernel/document/edits/moveBundle.js";
import { placed } from "../../kernel/document/edits/layout.js";
import { type Box, centreOf, contains } from "../geometry/box.js";
import { canvasBoxes } from "../geometry/boxes.js";
import { freePlaces, liesFree } from "../geometry/freeSpot.js";
import { serviceOfNode } from "./connect.js";
import { moveLabel } from "./group.js";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";

/**
 * The end of a drag, as one step: nodes stand where they were dropped (absolute coordinates), and
 * a service or source dropped inside another bundle's border, or outside its own, changes bundle.
 * What is in a moved bundle moves with it, and below what it would lie on. Bundles that were dropped in the frame of `binary` are served by it alone
 * from then on.
 */
export function dropNodes(moved: ReadonlyMap<string, { x: number; y: number }>, binary?: string): boolean {
  const state = documentStore.getState();
  const { topology, layout } = state;
  const boxes = canvasBoxes(topology, layout);
  const places: Record<string, NodeLayout> = {};
  const movedBundles = new Set<string>();
  for (const [id, at] of moved) {
    const box = boxes.get(id);
    if (!box || (box.x === at.x && box.y === at.y)) continue;
    if (!id.startsWith("bundle:")) {
      places[id] = { x: at.x, y: at.y };
      continue;
    }
    movedBundles.add(id);
    const stored = layout.nodes[id];
    const size = stored?.width && stored.height ? { width: box.width, height: box.height } : {};
    places[id] = { x: at.x, y: at.y, ...size };
    for (const [ref, member] of boxes) {
      if (moved.has(ref) || bundleIdOf(ref) !== id) continue;
      places[ref] = { x: member.x + at.x - box.x, y: member.y + at.y - box.y };
    }
  }
  if (Object.keys(places).length === 0) return false;
  // A bundle that comes to lie on others' nodes would look as if they were its own; one that did before may stay so.
  if (movedBundles.size > 0 && liesFree(state, places))
    for (const [id, spot] of Object.entries(freePlaces(state, places))) Object.assign(places[id]!, spot);

  const pinned = binary === undefined ? [] : [...movedBundles].map((id) => id.slice("bundle:".length));
  return edit(binary === undefined ? "Move" : moveLabel(pinned, binary), (model) => {
    let next = placed(model, places);
    if (binary !== undefined) next = pinned.reduce((now, bundle) => moveBundle(now, bundle, binary), next);
    for (const [id, at] of moved) {
      const box = boxes.get(id);
      const own = bundleIdOf(id);
      if (!box || id.startsWith("bundle:") || (own !== undefined && movedBundles.has(own))) continue;
      const target = bundleUnder(boxes, { ...box, ...at }, own);
      if (target === own) continue;
      const service = serviceOfNode(topology, id);
      const ref = parseCanvasRef(id);
      const members = {
        services: service === undefined ? [] : [service],
        flows: ref?.kind === "flow" ? [ref.flow] : [],
      };
      next = moveToBundle(next, members, target === undefined ? null : target.slice("bundle:".length));
    }
    return next;
  });

  function bundleIdOf(id: string): string | undefined {
    const ref = parseCanvasRef(id);
    const service = serviceOfNode(topology, id);
    const bundle =
      ref?.kind === "flow"
        ? bundleOfFlow(topology, ref.flow)
        : service === undefined
          ? undefined
          : bundleOfService(topology, service);
    return bundle && bundleRef(bundle.name);
  }
}

/** The bundle in which the middle of a box lies; its own one as long as they overlap there. */
export function bundleUnder(
  boxes: ReadonlyMap<string, Box>,
  box: Box,
  own: string | undefined,
): string | undefined {
  const centre = centreOf(box);
  const ownBox = own === undefined ? undefined : boxes.get(own);
  if (ownBox && contains(ownBox, centre)) return own;
  for (const [id, other] of boxes) if (id.startsWith("bundle:") && contains(other, centre)) return id;
  return undefined;
}
