import { BaseEdge, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import type { CatchEdge } from "../../../drawing/toCanvasEdges.js";
import { BranchValue } from "./BranchValue.js";
import { flowPath } from "./flowPath.js";
import { Slot } from "./Slot.js";
import { WireTitle } from "./WireTitle.js";

/** Failures of every stage before it: dotted, red, with the slot of the catch. */
export const CatchEdgeView = memo(function CatchEdgeView(props: EdgeProps<CatchEdge>) {
  const { id, data } = props;
  const { path, x, y, gap } = flowPath(props);
  return (
    <>
      {data?.away ? <WireTitle flow={data.flow} to={data.away.binary} /> : null}
      <BaseEdge id={id} path={path} className="edge edge-catch" interactionWidth={18} />
      {data ? <BranchValue x={x} y={y} gap={gap} data={data} /> : null}
      {data?.slot ? <Slot x={x} y={y} gap={gap} edge={id} data={data} /> : null}
    </>
  );
});
