import { parseNodeRef, type Topology } from "@penstock/codegen/topology";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";
import { binariesOf, binariesOfFlow } from "../../kernel/document/edits/binaries.js";
import { serviceOfNode } from "../../drawing/edits/connect.js";
import type { ProfileTarget } from "./profileStore.js";

/** What is recorded for a selected thing: the binary it is or is in, where that runs; else the only one that does. */
export function profileTarget(
  topology: Topology,
  selected: string,
  runs: (binary: string) => boolean,
): ProfileTarget | undefined {
  const running = topology.binaries.filter(({ name }) => runs(name));
  const ref = parseNodeRef(selected);
  if (ref?.kind === "binary" || ref?.kind === "pool") {
    const [binary = ""] = ref.path;
    return running.some(({ name }) => name === binary) ? { binary } : undefined;
  }
  const node = parseCanvasRef(selected);
  const service = serviceOfNode(topology, selected);
  const flow = node?.kind === "stage" || node?.kind === "flow" ? node.flow : undefined;
  const homes = [
    ...(flow === undefined ? [] : binariesOfFlow(topology, flow)),
    ...(service === undefined ? [] : binariesOf(topology, service)),
  ];
  const home = running.find((one) => homes.includes(one));
  if (home) return { binary: home.name, ...(service === undefined ? {} : { service }) };
  const [only, ...others] = running;
  return only && others.length === 0 && homes.length === 0 ? { binary: only.name } : undefined;
}
