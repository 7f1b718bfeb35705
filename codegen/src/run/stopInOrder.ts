import { startOrder, type Topology } from "../model/topology/index.js";

/**
 * Stops binaries in the order in which what is under way can still end: who calls before those that it calls, who call each other
 * together. All at once where there is no drawing to go by.
 */
export async function stopInOrder(
  topology: Topology | undefined,
  names: readonly string[],
  stop: (name: string) => Promise<unknown>,
): Promise<void> {
  const groups = topology === undefined ? [names] : startOrder(topology, names).reverse();
  for (const group of groups) await Promise.all(group.map(stop));
}
