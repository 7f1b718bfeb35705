import type { Problem } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";

/** What the workspace needs to know of the topology format; the shared parser behind it. */
export interface TopologyFormat {
  /** `topology` is left out when the text is no topology; `migratedFrom` when it was an older format. */
  parse(text: string): { topology?: Topology; problems: Problem[]; migratedFrom?: number };
  print(topology: Topology): string;
  validate(topology: Topology): Problem[];
  hash(topology: Topology): string;
  /** The newest format version it reads. */
  version: number;
}
