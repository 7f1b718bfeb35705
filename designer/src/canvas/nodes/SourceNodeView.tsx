import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { Badge, KindIcon } from "../../ui/index.js";
import { PORTS } from "../ids.js";
import type { SourceNode } from "../toCanvasNodes.js";

/** Where a flow's events come from. */
export const SourceNodeView = memo(function SourceNodeView({ data }: NodeProps<SourceNode>) {
  return (
    <div className="node node-source" data-mark={data.mark}>
      <div className="node-head">
        <KindIcon kind={data.icon} tile />
        <span className="node-name" title={data.name}>
          {data.name}
        </span>
        {data.mark === "error" ? <Badge tone="bad">error</Badge> : null}
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
});
