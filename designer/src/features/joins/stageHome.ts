import { binariesOfStage, indexTopology, type Topology } from "@penstock/codegen/topology";
import { binariesOfFlow } from "../../kernel/document/edits/binaries.js";

export interface StageHome {
  /** The binaries that run the stage. */
  running: readonly string[];
  /** One of them has the flow: its join is changed while it runs. */
  isHere: boolean;
  /** Others run it than those that have its flow. */
  isAway: boolean;
}

/** Where a stage runs, as drawn, beside its flow. */
export function stageHome(topology: Topology, flow: string, service: string): StageHome {
  const running = binariesOfStage(indexTopology(topology), flow, service);
  const isHere = binariesOfFlow(topology, flow).some(({ name }) => running.includes(name));
  return { running, isHere, isAway: running.length > 0 && !isHere };
}
