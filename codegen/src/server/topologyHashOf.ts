import type { TopologyFormat } from "../workspace/index.js";

/** Hash of a topology's text, `""` when it is none. */
export function topologyHashOf(text: string, format: TopologyFormat): string {
  const { topology } = format.parse(text);
  return topology ? format.hash(topology) : "";
}
