import type uPlot from "uplot";
import type { ThemeColors } from "./themeColors.js";

export const FONT = '11px "JetBrains Mono Variable", monospace';

export interface Rules {
  colors: ThemeColors;
  /** The value at the upper end; the lower one is 0. */
  top: number;
  format: (value: number | null) => string;
}

/** Room at the right for the figures of the rules: no curve runs through them. */
export const GUTTER = 54;

/** Three light rules with their values beside them. */
export function paintRules(plot: uPlot, { colors, top, format }: Rules): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  context.save();
  context.font = FONT.replace("11px", `${11 * ratio}px`);
  context.textAlign = "left";
  context.textBaseline = "middle";
  // A dashed curve leaves its dashes behind.
  context.setLineDash([]);
  for (const value of [0, top / 2, top]) {
    const y = Math.round(plot.valToPos(value, "y", true));
    context.strokeStyle = colors.line;
    context.lineWidth = ratio;
    context.beginPath();
    context.moveTo(bbox.left, y + 0.5);
    context.lineTo(bbox.left + bbox.width, y + 0.5);
    context.stroke();
    context.fillStyle = colors["text-3"];
    const text = value === 0 ? format(top).replace(/^[\d.]+/, "0") : format(value);
    context.fillText(text, bbox.left + bbox.width + 7 * ratio, y);
  }
  context.restore();
}
