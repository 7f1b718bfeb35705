import type { Topology } from "../schema/schema.js";

/** A shortest way of drawn calls from one service to another: `[from, ..., to]`; undefined when there is none. O(services + calls). */
export function wayOfCalls(topology: Topology, from: string, to: string): string[] | undefined {
  const calls = new Map(topology.services.map((service) => [service.name, service.calls]));
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const name of cameFrom.keys()) {
    if (name === to) {
      const way: string[] = [];
      for (let step: string | undefined = name; step !== undefined; step = cameFrom.get(step))
        way.unshift(step);
      return way;
    }
    // A map is walked in the order of its entries, those that are added on the way among them.
    for (const callee of calls.get(name) ?? []) if (!cameFrom.has(callee)) cameFrom.set(callee, name);
  }
  return undefined;
}
