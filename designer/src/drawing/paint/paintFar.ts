import type { Edge, InternalNode } from "@xyflow/react";
import type { CanvasNode, FrameNodeData } from "../toCanvasNodes.js";
import { kindColor } from "../../kernel/ui/icons/iconKind.js";
import type { ColorName } from "../../kernel/ui/look/themeColors.js";
import type { Brush } from "./brush.js";
import type { FarLabel } from "./farLabels.js";
import { portOf, traceEdge } from "./edgeGeometry.js";
import type { Box, NodeLook } from "./paintNode.js";
import { stateOf } from "./stateOf.js";

/** Sizes on the screen, in pixels: far out everything shrinks but what is read. */
const NAME = 11;
const LEAST_NAME = 9;
/** Of a letter, in the size of its font: the bold ones of names, an ellipsis among them. */
const ADVANCE = 0.6;
const BUNDLE_NAME = 12;
/** In units of the drawing. */
const FRAME_RADIUS = 16;
const STRIPE = 3;
const BAR = 2;
/** Fewer letters of a name say nothing. */
const FEWEST = 4;
/** So many say enough. */
const ENOUGH = 8;

const UI_FONT = '"Inter Variable", system-ui, sans-serif';

/** `var(--pool-1)` as the colour that the theme has for it. */
const resolved = (brush: Brush, color: string): string =>
  brush.colors[color.slice("var(--".length, -1) as ColorName] ?? brush.colors["text-3"];

/** Of a name that stands beside its node, in pixels. */
export const BESIDE_ADVANCE = LEAST_NAME * ADVANCE;

const nameOf = (node: InternalNode, bad: boolean): string =>
  `${bad ? "! " : ""}${(node.data as { name: string }).name}`;

/** The name of a node that has little room for it, to be put beside it; null where it is in its node. */
export function besideName(
  zoom: number,
  box: Box,
  node: InternalNode,
  look: NodeLook | null,
): { name: string; room: number; first: boolean } | null {
  const data = node.data as CanvasNode["data"];
  if (!("icon" in data)) return null;
  const bad = data.mark === "error" || look?.bottleneck === true;
  const name = nameOf(node, bad);
  const room = roomOf(zoom, box, name);
  if (room >= Math.min(ENOUGH, name.length)) return null;
  return { name, room, first: bad || node.selected === true };
}

/** A name beside its node; where it lies over others with a ground. */
export function paintBeside({ context, colors, zoom }: Brush, { text, over, ...at }: FarLabel): void {
  const [x, y] = [at.x / zoom, at.y / zoom];
  context.font = `600 ${LEAST_NAME / zoom}px ${UI_FONT}`;
  if (over) {
    const { width } = context.measureText(text);
    context.fillStyle = colors.canvas;
    context.fillRect(x - 2 / zoom, y - 7 / zoom, width + 4 / zoom, 14 / zoom);
  }
  context.fillStyle = text.startsWith("!") ? colors.bad : colors["text-2"];
  context.fillText(text, x, y);
}

/**
 * A node as it looks far out, without one element of the page: its kind as a stripe, its state as a border
 * and a bar, and as much of its name as there is room for, at a size that can be read, unless that stands beside it.
 */
export function paintFarNode(
  brush: Brush,
  box: Box,
  node: InternalNode,
  look: NodeLook | null,
  isNamedBeside = false,
): void {
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
  if (!isNamedBeside) paintName(brush, box, nameOf(node, bad), bad ? colors.bad : colors["text-1"]);
}

/** The frame of a binary as a line that is a pixel wide; its name stands where those of bundles do. */
export function paintFarFrame(
  { context, colors, zoom }: Brush,
  box: Readonly<Box>,
  node: InternalNode,
): void {
  const { mark, target } = node.data as FrameNodeData;
  const marked = target || node.selected === true;
  context.strokeStyle = mark === "error" ? colors.bad : marked ? colors.accent : colors["line-strong"];
  context.lineWidth = (target ? 2 : 1) / zoom;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, FRAME_RADIUS);
  context.stroke();
}

/** In halves of a pixel: while somebody zooms the font is the same for a while. */
const sizeIn = (zoom: number, box: Box): number =>
  Math.round(2 * Math.max(LEAST_NAME, Math.min(NAME, box.height * zoom - 4))) / 2;

/** Letters of a name that its node has room for; 0 where those would say nothing. */
function roomOf(zoom: number, box: Box, name: string): number {
  if (box.height * zoom < LEAST_NAME) return 0;
  const room = Math.floor((box.width * zoom - STRIPE - 8) / (sizeIn(zoom, box) * ADVANCE));
  return room < Math.min(FEWEST, name.length) ? 0 : room;
}

function paintName(brush: Brush, box: Box, name: string, color: string): void {
  const { zoom } = brush;
  const room = roomOf(zoom, box, name);
  if (room === 0) return;
  brush.context.fillStyle = color;
  const words = shortened(name, room);
  paintWords(brush, sizeIn(zoom, box), words, box.x + (STRIPE + 3) / zoom, box.y + box.height / 2);
}

/**
 * Words of `size` pixels of the screen at a place in the drawing. The context is scaled instead of the font: a
 * font of another size in each frame is looked up, and its letters drawn, anew in each frame.
 */
function paintWords({ context, zoom }: Brush, size: number, words: string, x: number, y: number): void {
  context.translate(x, y);
  context.scale(1 / zoom, 1 / zoom);
  context.font = uiFont(size);
  context.fillText(words, 0, 0);
  // Back by hand: a restore would take the font away, which the next name has too.
  context.scale(zoom, zoom);
  context.translate(-x, -y);
}

const uiFont = (size: number): string => `600 ${size}px ${UI_FONT}`;

/** Names differ at their ends as often as at their beginnings: what does not fit is left out between them. */
export function shortened(name: string, room: number): string {
  if (name.length <= room) return name;
  const end = Math.floor((room - 1) / 2);
  return `${name.slice(0, room - 1 - end)}…${end > 0 ? name.slice(-end) : ""}`;
}

/** The name of a bundle where it has its place, in pixels of the screen, over whatever is there. */
export function paintFarBundleName(brush: Brush, name: string, { x, y, width, height }: Readonly<Box>): void {
  const { context, colors, zoom } = brush;
  context.fillStyle = colors.canvas;
  context.fillRect(x / zoom, y / zoom, width / zoom, height / zoom);
  context.fillStyle = colors["text-2"];
  paintWords(brush, BUNDLE_NAME, name, (x + 4) / zoom, (y + height / 2) / zoom);
}

/** Of a name in its own size, whatever the zoom: measured again once the web font is there. */
const widths = new Map<string, number>();
let measuredIn = "";
export function bundleNameWidth(context: CanvasRenderingContext2D, name: string): number {
  const font = uiFont(BUNDLE_NAME);
  const measured = document.fonts?.check(font) ? "web" : "fallback";
  if (measuredIn !== measured) widths.clear();
  measuredIn = measured;
  let width = widths.get(name);
  if (width === undefined) {
    context.font = font;
    widths.set(name, (width = context.measureText(name).width));
  }
  return width;
}

/** Edges a hair's breadth wide, those of one colour as one line. */
export function paintFarEdges(
  brush: Brush,
  edges: readonly Edge[],
  nodeOf: (id: string) => InternalNode | undefined,
): void {
  const { context, colors, zoom } = brush;
  context.lineWidth = 1 / zoom;
  const colorOf = ({ type, selected }: Edge) =>
    selected === true ? colors.accent : type === "catch" ? colors.bad : colors["text-3"];
  // What is selected lies above the others.
  for (const color of [colors["text-3"], colors.bad, colors.accent]) {
    context.strokeStyle = color;
    context.beginPath();
    for (const edge of edges) {
      if (colorOf(edge) !== color) continue;
      const from = nodeOf(edge.source);
      const to = nodeOf(edge.target);
      const source = from && portOf(from, "source", edge.sourceHandle);
      const target = to && portOf(to, "target", edge.targetHandle);
      if (source && target) traceEdge(context, edge.type, source, target);
    }
    context.stroke();
  }
}
