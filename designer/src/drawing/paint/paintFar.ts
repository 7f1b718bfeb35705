import type { Edge, InternalNode } from "@xyflow/react";
import type { CanvasNode } from "../toCanvasNodes.js";
import { kindColor } from "../../kernel/ui/index.js";
import type { ColorName } from "../../kernel/ui/themeColors.js";
import type { Brush } from "./brush.js";
import { controlsOf, portOf } from "./edgeGeometry.js";
import type { Box, NodeLook } from "./paintNode.js";
import { stateOf } from "./stateOf.js";

/** Sizes on the screen, in pixels: far out everything shrinks but what is read. */
const NAME = 11;
const LEAST_NAME = 9;
const ADVANCE = 0.56;
const STRIPE = 3;
const BAR = 2;
/** Fewer letters of a name say nothing. */
const FEWEST = 4;

const UI_FONT = '"Inter Variable", system-ui, sans-serif';

/** `var(--pool-1)` as the colour that the theme has for it. */
const resolved = (brush: Brush, color: string): string =>
  brush.colors[color.slice("var(--".length, -1) as ColorName] ?? brush.colors["text-3"];

/**
 * A node as it looks far out, without one element of the page: its kind as a stripe, its state as a border
 * and a bar, and as much of its name as there is room for, at a size that can be read.
 */
export function paintFarNode(brush: Brush, box: Box, node: InternalNode, look: NodeLook | null): void {
  const data = node.data as CanvasNode["data"];
  if (!("icon" in data)) return;
  const { context, colors, zoom } = brush;
  const bad = data.mark === "error" || look?.bottleneck === true;
  const pixel = 1 / zoom;
  context.fillStyle = colors["surface-2"];
  context.fillRect(box.x, box.y, box.width, box.height);
  context.strokeStyle = bad ? colors.bad : node.selected ? colors.accent : colors["line-strong"];
  context.lineWidth = bad || node.selected ? 2 * pixel : pixel;
  context.strokeRect(box.x, box.y, box.width, box.height);
  const standard = "standard" in data ? data.standard : undefined;
  context.fillStyle = resolved(brush, standard?.color ?? kindColor(data.icon));
  context.fillRect(box.x, box.y, STRIPE * pixel, box.height);
  const state = stateOf(look, data.mark);
  if (look?.load && state !== "none") {
    context.fillStyle = colors[state === "stale" ? "text-3" : state];
    const share = Math.min(1, look.load.busy + look.load.waiting + look.load.blocked);
    const width = Math.max(share, state === "bad" ? 1 : 0) * box.width;
    context.fillRect(box.x, box.y + box.height - BAR * pixel, width, BAR * pixel);
  }
  paintName(brush, box, `${bad ? "! " : ""}${data.name}`, bad ? colors.bad : colors["text-1"]);
}

function paintName(brush: Brush, box: Box, name: string, color: string): void {
  const { context, zoom } = brush;
  const size = Math.max(LEAST_NAME, Math.min(NAME, box.height * zoom - 4));
  if (box.height * zoom < LEAST_NAME) return;
  const room = Math.floor((box.width * zoom - STRIPE - 5) / (size * ADVANCE));
  if (room < Math.min(FEWEST, name.length)) return;
  context.font = `600 ${size / zoom}px ${UI_FONT}`;
  context.fillStyle = color;
  context.fillText(shortened(name, room), box.x + (STRIPE + 3) / zoom, box.y + box.height / 2);
}

/** Names differ at their ends as often as at their beginnings: what does not fit is left out between them. */
export function shortened(name: string, room: number): string {
  if (name.length <= room) return name;
  const end = Math.floor((room - 1) / 2);
  return `${name.slice(0, room - 1 - end)}…${end > 0 ? name.slice(-end) : ""}`;
}

/** The name of a bundle, on its upper border. */
export function paintFarBundle(brush: Brush, box: Box, node: InternalNode): void {
  const { context, colors, zoom } = brush;
  const { name } = node.data as { name: string };
  context.font = `600 ${12 / zoom}px ${UI_FONT}`;
  const width = context.measureText(name).width;
  const left = box.x + 14 / zoom;
  context.fillStyle = colors.canvas;
  context.fillRect(left - 4 / zoom, box.y - 9 / zoom, width + 8 / zoom, 18 / zoom);
  context.fillStyle = colors["text-2"];
  context.fillText(name, left, box.y);
}

/** Edges as one line for each kind of them: a thousand elements of the page are not worth a hair's breadth. */
export function paintFarEdges(
  brush: Brush,
  edges: readonly Edge[],
  nodeOf: (id: string) => InternalNode | undefined,
): void {
  const { context, colors, zoom } = brush;
  context.lineWidth = 1 / zoom;
  for (const [type, color] of [
    ["call", colors["text-3"]],
    ["flow", colors["text-3"]],
    ["catch", colors.bad],
  ] as const) {
    context.strokeStyle = color;
    context.beginPath();
    for (const edge of edges) {
      if (edge.type !== type) continue;
      const from = nodeOf(edge.source);
      const to = nodeOf(edge.target);
      const source = from && portOf(from, "source", edge.sourceHandle);
      const target = to && portOf(to, "target", edge.targetHandle);
      if (!source || !target) continue;
      const [a, b] = controlsOf(source, target);
      context.moveTo(source.x, source.y);
      context.bezierCurveTo(a.x, a.y, b.x, b.y, target.x, target.y);
    }
    context.stroke();
  }
}
