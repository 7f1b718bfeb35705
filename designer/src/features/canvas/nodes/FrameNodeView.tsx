import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { KindIcon } from "../../../kernel/ui/index.js";
import type { FrameNode } from "../../../drawing/toCanvasNodes.js";
import { NodeName } from "./NodeName.js";

/** What a label leaves of the border at its right end. */
const CORNER = 14;

/** A binary of several: a frame around its bundles, into which others can be dragged. */
export const FrameNodeView = memo(function FrameNodeView({ id, data }: NodeProps<FrameNode>) {
  return (
    <div className="frame" data-mark={data.mark} data-target={data.target || undefined}>
      <div
        className="frame-label"
        data-border={data.label.border}
        style={{ left: data.label.x, maxWidth: `calc(100% - ${data.label.x + CORNER}px)` }}
      >
        <KindIcon kind="binary" />
        <NodeName node={id} nodeRef={id} name={data.name} rule="binary" className="frame-name caps" />
        {data.hint ? (
          <span className="frame-hint" title={data.hint}>
            {data.hint}
          </span>
        ) : null}
      </div>
      {data.empty ? <div className="bundle-hint">Drag bundles in here</div> : null}
    </div>
  );
});
