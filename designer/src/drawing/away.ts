import { transportTo, type Binary, type Topology, type Transport } from "@penstock/codegen/topology";
import { binariesOf, servedElsewhere } from "../kernel/document/edits/binaries.js";

/** Another binary that a line leads to, and what carries it there. */
export interface Away {
  binary: string;
  transport: Transport;
}

/** Where a line leads, if the first of the binaries that it comes from does not serve its end itself. */
export function awayFrom(topology: Topology, [here]: readonly Binary[], service: string): Away | undefined {
  if (!here || !servedElsewhere(topology, here)(service)) return undefined;
  const there = binariesOf(topology, service)[0];
  return there && { binary: there.name, transport: transportTo(there) };
}
