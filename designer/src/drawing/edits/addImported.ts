import type { Topology } from "@penstock/codegen/topology";
import type { DocumentModel } from "../../kernel/document/model.js";
import { emptyTopology } from "../../kernel/document/store.js";
import { bundleRef } from "../../kernel/document/edits/bundles.js";
import { serviceRef } from "../../kernel/document/edits/flows.js";
import { placed } from "../../kernel/document/edits/layout.js";
import type { Places } from "../arrange/autoLayout.js";
import type { Box } from "../geometry/box.js";
import { canvasBoxes } from "../geometry/boxes.js";
import { FRAME_PADDING } from "../geometry/nodeSizes.js";

/** Room between what is imported and what was there, frames of binaries included. */
const GAP = 3 * FRAME_PADDING;

/** What an import adds at the ends of a drawing's lists, as a drawing by itself that can be laid out. */
export function addedPart(before: Topology, after: Topology): Topology {
  const services = after.services.slice(before.services.length);
  const names = new Set(services.map(({ name }) => name));
  const bundles = after.bundles.slice(before.bundles.length);
  return {
    ...emptyTopology(after.name),
    messages: after.messages.slice(before.messages.length),
    enums: after.enums.slice(before.enums.length),
    services,
    bundles: bundles.map((bundle) => ({
      ...bundle,
      services: bundle.services.filter((name) => names.has(name)),
    })),
  };
}

/** What is selected of it: its nodes, else its messages and enums. */
export function refsOf({ services, messages, enums }: Topology): string[] {
  if (services.length > 0) return services.map(({ name }) => serviceRef(name));
  return [...messages.map(({ name }) => `message:${name}`), ...enums.map(({ name }) => `enum:${name}`)];
}

const hull = (boxes: Iterable<Box>): Box | undefined => {
  const all = [...boxes];
  if (all.length === 0) return undefined;
  const x = Math.min(...all.map((box) => box.x));
  const y = Math.min(...all.map((box) => box.y));
  const right = Math.max(...all.map((box) => box.x + box.width));
  const bottom = Math.max(...all.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
};

/** The border around some nodes and bundles of a drawing. */
export function boxAround({ topology, layout }: DocumentModel, refs: readonly string[]): Box | undefined {
  const boxes = canvasBoxes(topology, layout);
  return hull(refs.flatMap((ref) => boxes.get(ref) ?? []));
}

/** The drawing becomes `after`; what that adds lies as in `places`, all of it below what was there. */
export function addImported(model: DocumentModel, after: Topology, places: Places): DocumentModel {
  const part = addedPart(model.topology, after);
  const there = hull(canvasBoxes(model.topology, model.layout).values());
  const own = placed({ topology: part, layout: { ...model.layout, nodes: {} } }, places);
  const fresh = hull(canvasBoxes(part, own.layout).values());
  const shift =
    there && fresh ? { x: there.x - fresh.x, y: there.y + there.height + GAP - fresh.y } : { x: 0, y: 0 };
  const moved = Object.entries(places).map(
    ([ref, { x, y }]) => [ref, { x: x + shift.x, y: y + shift.y }] as const,
  );
  return placed({ ...model, topology: after }, Object.fromEntries(moved));
}

/** Nodes and bundles that an import added, for a look at them. */
export const drawnRefs = ({ services, bundles }: Topology): string[] => [
  ...services.map(({ name }) => serviceRef(name)),
  ...bundles.filter((bundle) => bundle.services.length > 0).map(({ name }) => bundleRef(name)),
];
