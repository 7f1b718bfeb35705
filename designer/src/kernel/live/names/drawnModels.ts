import type { Topology } from "@penstock/codegen/topology";

/** As many are kept as were drawn or asked for last: a binary that runs is asked for every second. */
const KEPT = 10;
const models = new Map<string, Topology>();

/** What was drawn, by its hash, by which a binary says from what it was built. Known for as long as the page lives. */
export function keepModel(topologyHash: string, topology: Topology): void {
  models.delete(topologyHash);
  models.set(topologyHash, topology);
  const [oldest] = models.keys();
  if (models.size > KEPT && oldest !== undefined) models.delete(oldest);
}

/** The drawing that has this hash, if this page has seen it. */
export function modelOf(topologyHash: string): Topology | undefined {
  const model = models.get(topologyHash);
  if (model) keepModel(topologyHash, model);
  return model;
}
