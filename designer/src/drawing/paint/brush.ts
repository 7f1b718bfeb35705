import type { Said } from "../screen/saidOnLines.js";
import { NODE_BAR } from "../geometry/nodeMeasures.js";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";

export const FIGURES_FONT = '400 11px "JetBrains Mono Variable", ui-monospace, monospace';

/** What painters share: the context, the theme, the zoom, and the width of a column of figures. */
export interface Brush {
  context: CanvasRenderingContext2D;
  colors: ThemeColors;
  zoom: number;
  /** Text is left out below this zoom: nobody can read it and it costs most. */
  legible: boolean;
  column: number;
  /** Where something is said on which line, for what would cover it and for who points at it. */
  said: Said[];
  /** What is said already of the links of a pair of binaries. */
  told: Set<string>;
}

export const LEGIBLE_ZOOM = 0.4;

export interface Load {
  /** Each 0 to 1; together more than 1 means more work than the threads can do. */
  busy: number;
  waiting: number;
  blocked: number;
}

const RADIUS = 9;
/** How far the box's rounded corner cuts into the bar's upper edge. */
const CUT = RADIUS - Math.sqrt(RADIUS * RADIUS - (RADIUS - NODE_BAR) ** 2);

/** The bar along a box's lower edge, with the box's corners: from `start` to `end`, shares of its width. */
function segment(
  { context }: Brush,
  x: number,
  bottom: number,
  width: number,
  start: number,
  end: number,
): void {
  const left = x + width * start;
  const right = x + width * end;
  const top = bottom - NODE_BAR;
  context.beginPath();
  if (start === 0) {
    context.moveTo(x + CUT, top);
    context.quadraticCurveTo(x + CUT + 2, bottom - 0.6, x + RADIUS, bottom);
  } else {
    context.moveTo(left, top);
    context.lineTo(left, bottom);
  }
  if (end >= 1) {
    context.lineTo(x + width - RADIUS, bottom);
    context.quadraticCurveTo(x + width - CUT - 2, bottom - 0.6, x + width - CUT, top);
  } else {
    context.lineTo(Math.max(right, left), bottom);
    context.lineTo(Math.max(right, left + (start === 0 ? CUT : 0)), top);
  }
  context.closePath();
  context.fill();
}

/** Busy, waiting, blocked as shares of one bar; what exceeds the bar is scaled to fit, in proportion. */
export function paintBar(
  brush: Brush,
  x: number,
  y: number,
  width: number,
  height: number,
  load: Load | null,
): void {
  const { context, colors } = brush;
  const left = x + 1;
  const inner = width - 2;
  const bottom = y + height - 1;
  context.fillStyle = colors["surface-3"];
  segment(brush, left, bottom, inner, 0, 1);
  if (!load) return;
  const total = load.busy + load.waiting + load.blocked;
  const scale = total > 1 ? 1 / total : 1;
  let at = 0;
  for (const [share, color] of [
    [load.busy, colors.ok],
    [load.waiting, colors.warn],
    [load.blocked, colors.blocked],
  ] as const) {
    const end = at + share * scale;
    if (end - at < 0.004) continue;
    context.fillStyle = color;
    segment(brush, left, bottom, inner, at, Math.min(end, 1) > 0.997 ? 1 : end);
    at = end;
  }
}

/** A horizontal gauge with round ends. */
export function paintGauge(
  brush: Brush,
  x: number,
  y: number,
  width: number,
  share: number,
  color: string,
  height = 4,
): void {
  const { context, colors } = brush;
  context.fillStyle = colors["surface-3"];
  context.beginPath();
  context.roundRect(x, y - height / 2, width, height, height / 2);
  context.fill();
  const filled = Math.max(0, Math.min(1, share)) * width;
  if (filled < 0.5) return;
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(x, y - height / 2, Math.max(filled, height / 2), height, height / 2);
  context.fill();
}
