import { BaseEdge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { CallEdge } from "../../../drawing/toCanvasEdges.js";

/** A asks B: dashed, with an open arrow. */
export const CallEdgeView = memo(function CallEdgeView(props: EdgeProps<CallEdge>) {
  const [path] = getBezierPath(props);
  return (
    <BaseEdge
      id={props.id}
      path={path}
      {...(props.markerEnd ? { markerEnd: props.markerEnd } : {})}
      className="edge edge-call"
      interactionWidth={18}
    />
  );
});
