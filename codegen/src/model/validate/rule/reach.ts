import type { TopologyIndex } from "../../topology/index.js";

/** How a binary that needs a service can come to it. */
export type Reach = "here" | "there" | "nowhere";

/**
 * `here`: the binary serves it itself; `there`: another one does, which it reaches on their host without an
 * address; `nowhere`: none. Without a binary: from somewhere else.
 */
export function reachOf(index: TopologyIndex, binary: string | undefined, service: string): Reach {
  const serving = index.binariesOfService.get(service) ?? [];
  if (serving.length === 0) return "nowhere";
  return binary !== undefined && serving.includes(binary) ? "here" : "there";
}
