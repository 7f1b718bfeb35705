import type { Topology } from "@penstock/codegen/topology";
import { flowRef, nodeOfService, serviceRef, stageRef } from "../../kernel/document/edits/flows.js";
import type { Box, Item } from "./box.js";
import { flowLinks } from "../queries/links.js";

/** Distance from one column or row to the next. */
const COLUMN = 308;
const ROW = 154;
/** Of what no line leads to. */
const COLUMNS = 4;
/** Room for the head of a bundle's border, and for the foot of the one above. */
const BORDER = 22;
/** Below a node that is higher than most. */
const GAP = 66;

/**
 * A readable place for what has none: flows run left to right in rows of their own, what they call
 * stands below its caller. Deterministic, so that a project without a layout looks the same each time.
 */
export function suggestedPlaces(
  topology: Topology,
  missing: readonly Item[],
  known: ReadonlyMap<string, Box>,
): Map<string, Box> {
  const wanted = new Map(missing.map((item) => [item.ref, item]));
  const placed = new Map<string, Box>();
  const bottomOf = () =>
    Math.max(0, ...[...known.values(), ...placed.values()].map((box) => box.y + box.height + 66));
  const put = (ref: string, x: number, y: number): Box | undefined => {
    const item = wanted.get(ref);
    if (!item || placed.has(ref)) return undefined;
    const box = { x, y, ...item.size };
    placed.set(ref, box);
    return box;
  };
  const gives = new Set(
    topology.services.filter((service) => service.response).map((service) => service.name),
  );

  for (const flow of topology.flows) {
    const anchor = known.get(flowRef(flow.name));
    const top = anchor?.y ?? (known.size + placed.size === 0 ? 0 : bottomOf());
    const left = anchor?.x ?? 0;
    put(flowRef(flow.name), left, top);
    const column = new Map<string | undefined, number>([[undefined, 0]]);
    const filled = new Map<number, number>();
    for (const link of flowLinks(flow, (service) => gives.has(service))) {
      const at = (column.get(link.from) ?? 0) + 1;
      column.set(link.to, Math.max(at, column.get(link.to) ?? 0));
    }
    for (const stage of flow.stages) {
      const at = column.get(stage.id) ?? 1;
      const row = filled.get(at) ?? 0;
      filled.set(at, row + 1);
      put(stageRef(flow.name, stage.id), left + at * COLUMN, top + row * (ROW - 32));
    }
  }

  const boxOf = (ref: string) => placed.get(ref) ?? known.get(ref);
  const queue = topology.services
    .map((service) => service.name)
    .filter((name) => boxOf(nodeOfService(topology, name)));
  const byName = new Map(topology.services.map((service) => [service.name, service]));
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const caller = boxOf(nodeOfService(topology, name));
    let x = caller ? caller.x - 44 : 0;
    for (const callee of byName.get(name)?.calls ?? []) {
      const y = (caller?.y ?? 0) + (caller?.height ?? 0) + 110;
      const box = put(serviceRef(callee), x, freeRow(x, y, known, placed));
      if (!box) continue;
      x += COLUMN;
      queue.push(callee);
    }
  }

  // A border lies around each bundle: in rows of all of them they would lie through one another.
  const left = new Map<string | undefined, Item[]>();
  for (const item of missing.filter(({ ref }) => !placed.has(ref))) {
    const others = left.get(item.bundle);
    if (others) others.push(item);
    else left.set(item.bundle, [item]);
  }
  let top = bottomOf();
  for (const [bundle, items] of left) {
    if (bundle !== undefined && placed.size + known.size > 0) top += BORDER;
    for (let from = 0; from < items.length; from += COLUMNS) {
      const row = items.slice(from, from + COLUMNS);
      for (const [at, { ref }] of row.entries()) put(ref, at * COLUMN, top);
      top += Math.max(ROW, ...row.map(({ size }) => size.height + GAP));
    }
  }
  return placed;
}

/** The first row from `y` down in which a node at `x` covers no other. */
function freeRow(
  x: number,
  y: number,
  known: ReadonlyMap<string, Box>,
  placed: ReadonlyMap<string, Box>,
): number {
  const others = [...known.values(), ...placed.values()].filter(
    (box) => box.x < x + 250 && box.x + box.width > x - 10,
  );
  let at = y;
  for (let moved = true; moved;) {
    moved = false;
    for (const box of others) {
      if (box.y < at + 150 && box.y + box.height > at - 10) {
        at = box.y + box.height + 44;
        moved = true;
      }
    }
  }
  return at;
}
