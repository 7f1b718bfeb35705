import type { Topology } from "@penstock/codegen/topology";
import { nodeOfService, serviceRef } from "../../kernel/document/edits/flows.js";
import type { Item } from "../geometry/box.js";

/** Between a caller and what it calls, and between two that are called by the same. */
export const BELOW = 66;
const BESIDE = 33;

/** A caller with what it calls below it, as one thing to place: the caller's upper left corner is at 0, 0. */
export interface Block {
  root: Item;
  width: number;
  height: number;
  places: { ref: string; x: number; y: number; width: number; height: number }[];
}

/**
 * Everything that is drawn, each callee in the block of the first that calls it. What another bundle
 * holds, and whatever is a stage itself, is a block of its own.
 */
export function callBlocks(topology: Topology, items: readonly Item[]): Block[] {
  const itemOf = new Map(items.map((item) => [item.ref, item]));
  const callsOf = new Map<string, string[]>();
  for (const { name, calls } of topology.services)
    callsOf.set(
      nodeOfService(topology, name),
      calls.map((callee) => nodeOfService(topology, callee)),
    );
  const called = new Set([...callsOf.values()].flat());
  const taken = new Set<string>();
  const block = (root: Item): Block => {
    taken.add(root.ref);
    // All of them first, then what they call: a callee stands below the caller nearest to the flow.
    const own = (callsOf.get(root.ref) ?? []).flatMap((ref) => {
      const item = itemOf.get(ref);
      if (!item || taken.has(ref) || !ref.startsWith(serviceRef("")) || item.bundle !== root.bundle)
        return [];
      taken.add(ref);
      return [item];
    });
    const below = own.map(block);
    let x = 0;
    const places = [{ ref: root.ref, x: 0, y: 0, ...root.size }];
    for (const one of below) {
      for (const at of one.places) places.push({ ...at, x: at.x + x, y: at.y + root.size.height + BELOW });
      x += one.width + BESIDE;
    }
    const deepest = Math.max(0, ...below.map((one) => BELOW + one.height));
    return {
      root,
      width: Math.max(root.size.width, x - BESIDE),
      height: root.size.height + deepest,
      places,
    };
  };
  // Stages and those that nobody calls begin blocks; then what only calls itself in a circle.
  const roots = [
    ...items.filter(({ ref }) => !ref.startsWith(serviceRef(""))),
    ...items.filter(({ ref }) => ref.startsWith(serviceRef("")) && !called.has(ref)),
    ...items,
  ];
  return roots.flatMap((item) => (taken.has(item.ref) ? [] : [block(item)]));
}
