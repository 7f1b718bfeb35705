import { type EdgeProps, getBezierPath, getSmoothStepPath } from "@xyflow/react";
import { BACK, goesBack, roomBetween } from "../../../drawing/paint/edgeGeometry.js";

/** The line of a flow: its path, its middle, and the room for what stands there. */
export function flowPath(props: EdgeProps): { path: string; x: number; y: number; gap: number } {
  const source = { x: props.sourceX, y: props.sourceY };
  const target = { x: props.targetX, y: props.targetY };
  const [path, x, y] = goesBack(source, target)
    ? getSmoothStepPath({ ...props, ...BACK })
    : getBezierPath(props);
  return { path, x, y, gap: roomBetween(source, target) };
}
