import type { Service, Topology } from "../schema/schema.js";

/** A service that must not be on a cycle of calls, and the calls that lead from it back to it. */
export interface BlockingCycle {
  service: string;
  /** `[service, next, ..., service]`: a shortest way round. */
  path: string[];
  /** Where the way starts: index of the service and of its call. */
  at: number;
  call: number;
}

/** True for the kinds that hold their thread, or themselves, while they wait. */
export const holdsWhileWaiting = ({ kind }: Service): boolean =>
  kind === "sync-remote" || kind === "single-threaded";

/** Ways round longer than this many services together are not searched: the first ones show the mistake. */
const SEARCH_BUDGET = 200_000;

/**
 * Every `sync-remote` or `single-threaded` service that can be asked again while it waits for itself,
 * in list order. Strongly connected components (Tarjan 1972, without recursion) in O(services + calls),
 * then a breadth-first way round for each, as long as the budget lasts.
 */
export function blockingCycles(topology: Topology): BlockingCycle[] {
  const at = new Map<string, number>();
  topology.services.forEach(({ name }, index) => {
    if (!at.has(name)) at.set(name, index);
  });
  const next = topology.services.map(({ calls }) => calls.map((callee) => at.get(callee) ?? -1));
  const component = componentsOf(next);
  const found: BlockingCycle[] = [];
  let budget = SEARCH_BUDGET;
  const nameOf = (node: number): string => topology.services[node]?.name ?? "";
  topology.services.forEach((service, index) => {
    if (!holdsWhileWaiting(service)) return;
    const call = (next[index] ?? []).findIndex(
      (to) => to === index || (to >= 0 && component[to] === component[index]),
    );
    if (call < 0) return;
    const round = budget > 0 ? wayRound(next, component, index) : undefined;
    budget -= round?.visited ?? 0;
    // Out of budget: the first step alone still shows which call to look at.
    const path = round?.path.map(nameOf) ?? [
      service.name,
      nameOf((next[index] ?? [])[call] ?? index),
      "…",
      service.name,
    ];
    const first = round === undefined ? call : (next[index] ?? []).indexOf(round.path[1] ?? index);
    found.push({
      service: service.name,
      path,
      at: index,
      call: first,
    });
  });
  return found;
}

/** Number of the strongly connected component of each node; nodes behind it have the same or a lower one. */
export function componentsOf(next: readonly (readonly number[])[]): number[] {
  const order: number[] = next.map(() => -1);
  const low: number[] = next.map(() => 0);
  const component: number[] = next.map(() => -1);
  const open: number[] = [];
  const work: { node: number; edge: number }[] = [];
  let visits = 0;
  let components = 0;
  const enter = (node: number): void => {
    order[node] = low[node] = visits++;
    open.push(node);
    work.push({ node, edge: 0 });
  };
  for (let root = 0; root < next.length; root++) {
    if (order[root] !== -1) continue;
    enter(root);
    for (let top = work[work.length - 1]; top !== undefined; top = work[work.length - 1]) {
      const { node } = top;
      const to = next[node]?.[top.edge++];
      if (to === undefined) {
        work.pop();
        const parent = work[work.length - 1]?.node;
        if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
        if (low[node] === order[node]) {
          for (let member = open.pop(); member !== undefined; member = open.pop()) {
            component[member] = components;
            if (member === node) break;
          }
          components += 1;
        }
      } else if (to >= 0) {
        if (order[to] === -1) enter(to);
        else if (component[to] === -1) low[node] = Math.min(low[node] ?? 0, order[to] ?? 0);
      }
    }
  }
  return component;
}

/** Whether a call is a part of a way round: who is asked may ask back. O(services + calls) once, then O(1). */
export function returningCalls(topology: Topology): (caller: string, callee: string) => boolean {
  const at = new Map(topology.services.map(({ name }, index) => [name, index] as const));
  const next = topology.services.map(({ calls }) => calls.map((callee) => at.get(callee) ?? -1));
  const component = componentsOf(next);
  return (caller, callee) => {
    const from = at.get(caller);
    const to = at.get(callee);
    return from !== undefined && to !== undefined && component[from] === component[to];
  };
}

/** A shortest way from `start` back to it within its component, and how many nodes the search saw. */
function wayRound(
  next: readonly (readonly number[])[],
  component: readonly number[],
  start: number,
): { path: number[]; visited: number } | undefined {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] as number;
    for (const to of next[node] ?? []) {
      if (to === start) {
        const path = [start];
        for (let step = node; step !== start; step = cameFrom.get(step) ?? start) path.push(step);
        path.push(start);
        return { path: path.toReversed(), visited: queue.length };
      }
      if (to < 0 || component[to] !== component[start] || cameFrom.has(to)) continue;
      cameFrom.set(to, node);
      queue.push(to);
    }
  }
  return undefined;
}
