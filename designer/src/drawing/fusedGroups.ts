import type { CanvasEdge } from "./toCanvasEdges.js";

/** Stages that run one after the other on one thread: what a bracket stands over. */
export interface FusedGroup {
  color: string;
  threads: string;
  /** Ids of their nodes. */
  members: string[];
}

/** The groups that the lines between stages make, in the order of the lines. */
export function fusedGroups(edges: readonly CanvasEdge[]): FusedGroup[] {
  const groups: FusedGroup[] = [];
  for (const { source, target, data } of edges) {
    if (!data || !("fused" in data) || data.fused === undefined) continue;
    const into = groups.find(({ members }) => members.includes(source));
    const group = into ?? { color: data.fused, threads: data.threads, members: [source] };
    if (!into) groups.push(group);
    if (!group.members.includes(target)) group.members.push(target);
  }
  return groups;
}
