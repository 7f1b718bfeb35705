import { formatDuration, formatMicros, formatRate } from "../../kernel/live/figures/format.js";
import type { ImplementationFigures } from "../../kernel/live/figures/figures.js";
import {
  implementationRows,
  NODE_HEADER,
  NODE_PAD,
  NODE_RADIUS,
  NODE_ROW,
  NODE_ROWS_PAD,
  NODE_STRIP,
} from "../geometry/nodeMeasures.js";
import { faded } from "../../kernel/ui/look/themeColors.js";
import { paintBar, paintGauge, type Brush, type Load } from "./brush.js";
import { layOutStrip, type StripFigures } from "./columns.js";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All that is painted into one node's box. */
export interface NodeLook {
  figures: StripFigures | null;
  load: Load | null;
  implementations: readonly ImplementationFigures[];
  /** Colour of the pool: the rows' bars. */
  poolColor: string;
  /** Names of implementations that run far longer than the others. */
  slow: ReadonlySet<string>;
  /** Age of the figures when they are stale, else 0. */
  staleMs: number;
  bottleneck: boolean;
}

export function paintNode(brush: Brush, box: Box, look: NodeLook): void {
  // Of what is not heard of it is not known whether it still is one.
  if (look.bottleneck && look.staleMs === 0) paintRing(brush, box);
  paintBar(brush, box.x, box.y, box.width, box.height, look.staleMs > 0 ? null : look.load);
  if (!brush.legible || !look.figures) return;
  paintRows(brush, box, look);
  paintStrip(brush, box, look.figures, look.staleMs);
}

function paintRing({ context, colors }: Brush, { x, y, width, height }: Box): void {
  context.strokeStyle = faded(colors.bad, 22);
  context.lineWidth = 5;
  context.beginPath();
  context.roundRect(x - 2.5, y - 2.5, width + 5, height + 5, NODE_RADIUS + 3);
  context.stroke();
  context.strokeStyle = colors.bad;
  context.lineWidth = 1.75;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, NODE_RADIUS);
  context.stroke();
}

function paintStrip(brush: Brush, box: Box, figures: StripFigures, staleMs: number): void {
  const { context, colors, column } = brush;
  const x = box.x + NODE_PAD;
  const y = box.y + box.height - NODE_STRIP / 2 - 1.5;
  const columns = Math.floor((box.width - 2 * NODE_PAD + 2) / column);
  if (staleMs > 0) {
    const rate = formatRate(figures.rate);
    context.fillStyle = colors["text-3"];
    context.fillText(rate.digits.padStart(3) + rate.unit, x, y);
    context.textAlign = "right";
    context.fillText(`${formatDuration(staleMs)} old`, box.x + box.width - NODE_PAD, y);
    context.textAlign = "left";
    return;
  }
  const strip = layOutStrip(figures, columns);
  context.fillStyle = colors["text-1"];
  context.fillText(strip.bright, x, y);
  // The small gap between digits and unit is a shift of all units: they share one string.
  context.fillStyle = colors["text-3"];
  context.fillText(strip.dim, x + 2, y);
  if (strip.between) {
    const middle = x + strip.between.at * column;
    context.fillText(strip.between.dim, middle + 2, y);
    context.fillStyle = colors["text-1"];
    context.fillText(strip.between.bright, middle, y);
  }
  if (strip.bad !== "") {
    context.fillStyle = colors.bad;
    context.fillText(strip.bad, x, y);
  }
}

const ROW_BAR_FROM = 0.31;
const ROW_BAR_TO = 0.77;

function paintRows(brush: Brush, box: Box, look: NodeLook): void {
  const rows = implementationRows(look.implementations.length);
  if (rows === 0) return;
  const { context, colors } = brush;
  // How long each runs is what they are compared by; a binary that does not tell it has their rates. A second may have
  // no sample of one, so each has its average of the last ones: that of the bottleneck's card, too.
  const ran = look.implementations.some((one) => one.ranLately !== null);
  const valueOf = (one: ImplementationFigures): number =>
    ran ? (one.ranLately ?? 0) : Number.isNaN(one.rate) ? 0 : one.rate;
  const most = Math.max(1e-9, ...look.implementations.map(valueOf));
  for (let index = 0; index < rows; index++) {
    const one = look.implementations[index];
    if (!one) continue;
    const y = box.y + NODE_HEADER + NODE_ROWS_PAD + NODE_ROW * (index + 0.5);
    const stale = look.staleMs > 0;
    const slow = !stale && look.slow.has(one.name);
    const figure = ran ? formatMicros(one.ranLately) : formatRate(one.rate);
    const loud = look.bottleneck ? colors.bad : colors.warn;
    context.fillStyle = stale ? colors["text-3"] : colors["text-2"];
    context.fillText(
      fit(one.name, box.width * ROW_BAR_FROM - NODE_PAD - 5, brush.column),
      box.x + NODE_PAD,
      y,
    );
    paintGauge(
      brush,
      box.x + box.width * ROW_BAR_FROM,
      y,
      box.width * (ROW_BAR_TO - ROW_BAR_FROM),
      valueOf(one) / most,
      stale ? colors["text-3"] : look.poolColor,
    );
    context.textAlign = "right";
    const right = box.x + box.width - NODE_PAD;
    context.fillStyle = slow ? loud : colors["text-3"];
    context.fillText(figure.unit, right, y);
    context.fillStyle = slow ? loud : stale ? colors["text-3"] : colors["text-2"];
    context.fillText(figure.digits, right - figure.unit.length * brush.column - 2, y);
    context.textAlign = "left";
  }
}

function fit(text: string, width: number, column: number): string {
  const most = Math.max(1, Math.floor(width / column));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
