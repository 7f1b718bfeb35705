import { parseEdgeId } from "../../kernel/document/edgeIds.js";
import { parseNodeRef } from "@penstock/codegen/topology";

/** The flow that is selected, or one of whose stages or lines is; else the first one that is known. */
export function flowOfSelection(
  selection: readonly string[],
  known: ReadonlyMap<string, unknown>,
): string | undefined {
  for (const ref of selection) {
    const edge = parseEdgeId(ref);
    if (edge && edge.kind !== "call" && known.has(edge.flow)) return edge.flow;
    const parsed = parseNodeRef(ref);
    const [flow = ""] = parsed?.path ?? [];
    if ((parsed?.kind === "flow" || parsed?.kind === "stage") && known.has(flow)) return flow;
  }
  return known.keys().next().value as string | undefined;
}
