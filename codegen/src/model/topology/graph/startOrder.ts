import type { Topology } from "../schema/schema.js";
import { componentsOf } from "./callCycles.js";
import { indexTopology } from "./indexTopology.js";

/**
 * The binaries of `names` in groups, each to be started once the one before it is ready: those that are called come before who
 * calls them, and who call each other come together. Within a group in the order of `names`. O(services + calls + stages).
 */
export function startOrder(topology: Topology, names: readonly string[]): string[][] {
  const index = indexTopology(topology);
  const at = new Map(topology.binaries.map(({ name }, place) => [name, place] as const));
  const next = topology.binaries.map((): number[] => []);
  const ask = (asking: readonly string[] | undefined, service: string): void => {
    const serving = index.binariesOfService.get(service) ?? [];
    const asked = at.get(serving[0] ?? "");
    if (asked === undefined) return;
    for (const name of asking ?? []) if (!serving.includes(name)) next[at.get(name) ?? -1]?.push(asked);
  };
  for (const { name, calls } of topology.services)
    for (const callee of calls) ask(index.binariesOfService.get(name), callee);
  for (const { name, stages } of topology.flows)
    for (const { service } of stages) ask(index.binariesOfFlow.get(name), service);
  const component = componentsOf(next);
  // Components are numbered in the order in which they are left: who is called has a lower number.
  const byComponent = next.map((_, place) => place).sort((a, b) => (component[a] ?? 0) - (component[b] ?? 0));
  const level = new Map<number, number>();
  for (const place of byComponent) {
    const own = component[place] ?? 0;
    const behind = (next[place] ?? []).filter((to) => component[to] !== own);
    const least = Math.max(0, ...behind.map((to) => (level.get(component[to] ?? 0) ?? 0) + 1));
    level.set(own, Math.max(level.get(own) ?? 0, least));
  }
  const groups: string[][] = [];
  for (const name of names) (groups[level.get(component[at.get(name) ?? -1] ?? -1) ?? 0] ??= []).push(name);
  return groups.filter((group) => group.length > 0);
}
