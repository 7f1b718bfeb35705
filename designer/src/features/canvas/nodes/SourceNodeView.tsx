import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, useContext } from "react";
import { KindIcon } from "../../../kernel/ui/index.js";
import { FarContext } from "./farOut.js";
import { PORTS } from "../../../kernel/document/canvasRefs.js";
import { ErrorBadge } from "./ErrorBadge.js";
import { NodeName } from "./NodeName.js";
import { sameNode } from "./sameNode.js";
import type { SourceNode } from "../../../drawing/toCanvasNodes.js";

/** Where a flow's events come from. */
export const SourceNodeView = memo(function SourceNodeView({ id, data }: NodeProps<SourceNode>) {
  if (useContext(FarContext)) return null;
  return (
    <div className="node node-source" data-mark={data.mark}>
      <div className="node-head">
        <KindIcon kind={data.icon} tile />
        <NodeName node={id} nodeRef={id} name={data.name} rule="flow" className="node-name" />
        {data.mark === "error" ? <ErrorBadge /> : null}
        <span className="node-types">
          {data.kind} → {data.event}
        </span>
      </div>
      <div className="node-strip" />
      <Handle
        id={PORTS.flowOut}
        type="source"
        position={Position.Right}
        className="port port-flow"
        style={{ "--type": data.eventColor } as React.CSSProperties}
        role="img"
        aria-label={`${data.name}: flow out`}
      />
    </div>
  );
}, sameNode);
