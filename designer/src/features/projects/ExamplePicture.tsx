import type { ExampleInfo } from "@penstock/codegen/contract";
import { emptyLayout, parseTopology, type Layout } from "@penstock/codegen/topology";
import { memo } from "react";
import { canvasBoxes } from "../../drawing/geometry/boxes.js";
import { toCanvasEdges } from "../../drawing/toCanvasEdges.js";
import { toCanvasNodes, FLOW_PORT_Y } from "../../drawing/toCanvasNodes.js";
import { kindColor } from "../../kernel/ui/index.js";

const MARGIN = 20;

/** An example's drawing in small: its boxes in the colours of their kinds, and the lines between them. */
export const ExamplePicture = memo(function ExamplePicture({ example }: { example: ExampleInfo }) {
  const drawing = drawingOf(example);
  if (!drawing) return null;
  const { boxes, nodes, edges } = drawing;
  const all = [...boxes.values()];
  const left = Math.min(...all.map((box) => box.x)) - MARGIN;
  const top = Math.min(...all.map((box) => box.y)) - MARGIN;
  const width = Math.max(...all.map((box) => box.x + box.width)) + MARGIN - left;
  const height = Math.max(...all.map((box) => box.y + box.height)) + MARGIN - top;
  return (
    <svg className="example-picture" viewBox={`${left} ${top} ${width} ${height}`} aria-hidden>
      {edges.map(({ id, type, source, target }) => {
        const from = boxes.get(source);
        const to = boxes.get(target);
        if (!from || !to) return null;
        const call = type === "call";
        const a = call
          ? { x: from.x + from.width / 2, y: from.y + from.height }
          : { x: from.x + from.width, y: from.y + FLOW_PORT_Y };
        const b = call ? { x: to.x + to.width / 2, y: to.y } : { x: to.x, y: to.y + FLOW_PORT_Y };
        const bend = call
          ? `${a.x},${(a.y + b.y) / 2} ${b.x},${(a.y + b.y) / 2}`
          : `${(a.x + b.x) / 2},${a.y} ${(a.x + b.x) / 2},${b.y}`;
        return <path key={id} d={`M${a.x},${a.y} C${bend} ${b.x},${b.y}`} data-type={type} />;
      })}
      {nodes.map((node) => {
        const box = boxes.get(node.id);
        if (!box || !("icon" in node.data)) return null;
        return (
          <g key={node.id}>
            <rect {...box} rx={10} />
            <rect
              className="example-kind"
              x={box.x + 12}
              y={box.y + 14}
              width={26}
              height={26}
              rx={6}
              style={{ fill: kindColor(node.data.icon) }}
            />
            <rect
              className="example-name"
              x={box.x + 50}
              y={box.y + 20}
              width={box.width - 74}
              height={14}
              rx={5}
            />
          </g>
        );
      })}
    </svg>
  );
});

function drawingOf({ topology: text, layout }: ExampleInfo) {
  const { topology } = parseTopology(text);
  if (!topology || topology.services.length === 0) return undefined;
  const places = layoutOf(layout);
  return {
    boxes: canvasBoxes(topology, places),
    nodes: toCanvasNodes(topology, places, []),
    edges: toCanvasEdges(topology, []),
  };
}

/** Comes with Penstock; an older server, or one that cannot read it, sends none. */
function layoutOf(text: string | undefined): Layout {
  try {
    return text === undefined ? emptyLayout() : (JSON.parse(text) as Layout);
  } catch {
    return emptyLayout();
  }
}
