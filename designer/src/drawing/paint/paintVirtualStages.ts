import { parseNodeRef } from "@penstock/codegen/topology";
import type { Edge } from "@xyflow/react";
import { formatMicros } from "../../kernel/live/figures/format.js";
import { BRACKET_OVER } from "../geometry/nodeMeasures.js";
import { staleMs, trackOfFlow } from "../../kernel/live/liveStore.js";
import type { Brush } from "./brush.js";
import type { Scene } from "./lookOf.js";
import type { Box } from "./paintNode.js";

/** Of the figure from the bracket's right end, as its name from the left one. */
const INSET = 14;

/** Boxes around the stages that run fused, by the reference of the first: what hangs together by fused edges. */
function virtualBoxes(edges: readonly Edge[], boxOf: (id: string) => Box | undefined): Map<string, Box> {
  const headOf = new Map<string, string>();
  const boxes = new Map<string, Box>();
  for (const { source, target, hidden, data } of edges) {
    if (hidden || data?.["fused"] === undefined) continue;
    const head = headOf.get(source) ?? source;
    headOf.set(target, head);
    const known = boxes.get(head) ?? boxOf(source);
    const more = boxOf(target);
    if (known && more) boxes.set(head, around(known, more));
  }
  return boxes;
}

function around(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** On the bracket of each virtual stage how long all of it runs: the median and p99. */
export function paintVirtualStages(
  brush: Brush,
  scene: Scene,
  edges: readonly Edge[],
  boxOf: (id: string) => Box | undefined,
): void {
  const { context, colors, column } = brush;
  for (const [head, box] of virtualBoxes(edges, boxOf)) {
    const [flow = "", id = ""] = parseNodeRef(head)?.path ?? [];
    const track = trackOfFlow(flow);
    const fused = track?.flows.get(flow)?.figures.stages.find((stage) => stage.id === id)?.fused;
    if (!track || !fused || fused.p50 === null) continue;
    const [p50, p99] = [formatMicros(fused.p50), formatMicros(fused.p99)];
    const text = `ran ${p50.digits} ${p50.unit}, p99 ${p99.digits} ${p99.unit}`;
    const width = text.length * column + 10;
    const x = box.x + box.width - INSET - width / 2;
    const y = box.y - BRACKET_OVER;
    context.fillStyle = colors.canvas;
    context.beginPath();
    context.roundRect(x - width / 2, y - 9, width, 18, 5);
    context.fill();
    context.fillStyle = staleMs(track, scene.now) > 0 ? colors["text-3"] : colors["text-2"];
    context.fillText(text, x - width / 2 + 5, y);
  }
}
