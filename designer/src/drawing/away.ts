import type { Binary, Topology } from "@penstock/codegen/topology";
import { binariesOf, servedElsewhere } from "../kernel/document/edits/binaries.js";

/** The binary that a line leads to, where the first of those that it comes from does not serve its end itself. */
export function awayFrom(topology: Topology, [here]: readonly Binary[], service: string): string | undefined {
  if (!here || !servedElsewhere(topology, here)(service)) return undefined;
  return binariesOf(topology, service)[0]?.name;
}
