import { BaseEdge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { CallEdge } from "../../../drawing/toCanvasEdges.js";
import { parseEdgeId } from "../../../kernel/document/edgeIds.js";
import { WireTitle } from "./WireTitle.js";

const callerOf = (id: string): string => {
  const edge = parseEdgeId(id);
  return edge?.kind === "call" ? edge.from : "";
};

/** A asks B: dashed, with an open arrow. */
export const CallEdgeView = memo(function CallEdgeView(props: EdgeProps<CallEdge>) {
  const [path] = getBezierPath(props);
  const away = props.data?.away;
  return (
    <>
      {away ? <WireTitle service={callerOf(props.id)} to={away.binary} /> : null}
      <BaseEdge
        id={props.id}
        path={path}
        {...(props.markerEnd ? { markerEnd: props.markerEnd } : {})}
        className="edge edge-call"
        interactionWidth={18}
      />
    </>
  );
});
