import { type NodeProps, NodeResizer } from "@xyflow/react";
import { memo } from "react";
import { edit } from "../../../kernel/document/index.js";
import { placed } from "../../../kernel/document/edits/layout.js";
import { KindIcon } from "../../../kernel/ui/index.js";
import type { BundleNode } from "../../../drawing/toCanvasNodes.js";
import { NodeName } from "./NodeName.js";
import { BUNDLE_HEADER, BUNDLE_PADDING } from "../../../drawing/geometry/nodeSizes.js";

/** From the end of a label to that of its bundle. */
const LABEL_END = 14;

/** A bundle: what is deployed together, with what serves it on its label unless a frame says so. */
export const BundleNodeView = memo(function BundleNodeView({ id, data, selected }: NodeProps<BundleNode>) {
  return (
    <div className="bundle" data-mark={data.mark}>
      <NodeResizer
        isVisible={selected}
        minWidth={2 * BUNDLE_PADDING + 160}
        minHeight={BUNDLE_HEADER + BUNDLE_PADDING + 60}
        lineClassName="bundle-resize-line"
        handleClassName="bundle-resize-handle"
        onResizeEnd={(_event, { x, y, width, height }) =>
          edit("Resize bundle", (model) => placed(model, { [id]: { x, y, width, height } }))
        }
      />
      <div
        className="bundle-label"
        style={{ left: data.labelX, maxWidth: `calc(100% - ${data.labelX + LABEL_END}px)` }}
      >
        <KindIcon kind="bundle" />
        <NodeName node={id} nodeRef={id} name={data.name} rule="bundle" className="bundle-name" />
        {data.binaries ? <Serving text={data.binaries} /> : null}
      </div>
      {data.empty ? <div className="bundle-hint">Drag services in here</div> : null}
    </div>
  );
});

/** `ads-server · :7400`: the binary's name and, apart from it, where it listens; of several binaries one text. */
const PARTS = /^([^,]*)( · [^,]*)$/;

/** What serves a bundle. Where there is little room the binary's name is cut, not the port behind it. */
export function Serving({ text }: { text: string }) {
  const [, ...parts] = PARTS.exec(text) ?? [text, text];
  return (
    <span className="bundle-binaries" title={text}>
      {parts.map((part, at) => (
        <span key={at}>{part}</span>
      ))}
    </span>
  );
}
