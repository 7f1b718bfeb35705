import type { TopologyIndex } from "../topology/index.js";

/** How a binary that needs a service can come to it. */
export type Reach = "here" | "there" | "deaf" | "nowhere";

/**
 * `here`: the binary serves it itself; `there`: another one that listens does (one is enough); `deaf`:
 * only others that do not listen; `nowhere`: none. Without a binary: from somewhere else.
 */
export function reachOf(index: TopologyIndex, binary: string | undefined, service: string): Reach {
  const serving = index.binariesOfService.get(service) ?? [];
  if (serving.length === 0) return "nowhere";
  if (binary !== undefined && serving.includes(binary)) return "here";
  return serving.some((name) => (index.binaries.get(name)?.item.listen.length ?? 0) > 0) ? "there" : "deaf";
}
