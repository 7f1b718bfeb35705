import { JOIN_HEIGHT } from "../../../drawing/geometry/nodeMeasures.js";
import type { FlowEdgeData } from "../../../drawing/toCanvasEdges.js";

/** Advance of a letter at the size of the label, and the fewest that say something, however close the boxes. */
const CHAR = 6.3;
const FEWEST = 8;

export interface BranchValueProps {
  x: number;
  y: number;
  /** Between the two ports, px at zoom 1. */
  gap: number;
  data: FlowEdgeData;
}

/** The values for which the branch is taken, over the slot or the join on its line. */
export function BranchValue({ x, y, gap, data: { when, join } }: BranchValueProps) {
  if (when === undefined) return null;
  const room = Math.max(FEWEST, Math.floor((gap - 8) / CHAR));
  return (
    <text x={x} y={y - (join ? JOIN_HEIGHT / 2 : 9) - 6} className="edge-when">
      <title>{when}</title>
      {when.length > room ? `${when.slice(0, room - 1)}…` : when}
    </text>
  );
}
