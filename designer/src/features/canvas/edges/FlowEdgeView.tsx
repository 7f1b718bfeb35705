import { BaseEdge, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import type { FlowEdge } from "../../../drawing/toCanvasEdges.js";
import { BranchValue } from "./BranchValue.js";
import { flowPath } from "./flowPath.js";
import { Slot } from "./Slot.js";
import { WireTitle } from "./WireTitle.js";

/** Events go from A to B: solid, filled arrow, with the slot (or its join) of the stage it enters. */
export const FlowEdgeView = memo(function FlowEdgeView(props: EdgeProps<FlowEdge>) {
  const { id, data } = props;
  const { path, x, y, gap } = flowPath(props);
  return (
    <>
      {data?.away ? <WireTitle flow={data.flow} to={data.away.binary} /> : null}
      <BaseEdge
        id={id}
        path={path}
        {...(props.markerEnd ? { markerEnd: props.markerEnd } : {})}
        className="edge edge-flow"
        interactionWidth={18}
      />
      {data ? <BranchValue x={x} y={y} gap={gap} data={data} /> : null}
      {data?.slot ? <Slot x={x} y={y} gap={gap} edge={id} data={data} /> : null}
    </>
  );
});
