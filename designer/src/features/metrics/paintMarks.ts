import type uPlot from "uplot";
import { liveStore } from "../../kernel/live/liveStore.js";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";

export interface Marks {
  colors: ThemeColors;
  binary: string;
  /** Marks are named on one of the charts only. */
  nameMarks: boolean;
}

/** A dashed line for each live change of a binary. */
export function paintMarks(plot: uPlot, { colors, nameMarks, binary }: Marks): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  const { min = 0, max = 0 } = plot.scales["x"] ?? {};
  context.save();
  context.font = `600 ${11 * ratio}px "Inter Variable", sans-serif`;
  context.textBaseline = "top";
  // The newest first: where names would overlap, the older one is left out (its line stays).
  let free = Number.POSITIVE_INFINITY;
  for (const mark of liveStore.getState().marks.toReversed()) {
    const at = mark.atMs / 1000;
    if (mark.binary !== binary || at < (min ?? 0) || at > (max ?? 0)) continue;
    const x = Math.round(plot.valToPos(at, "x", true));
    context.strokeStyle = colors.accent;
    context.lineWidth = ratio;
    context.setLineDash([3 * ratio, 3 * ratio]);
    context.beginPath();
    context.moveTo(x + 0.5, bbox.top - 2 * ratio);
    context.lineTo(x + 0.5, bbox.top + bbox.height);
    context.stroke();
    if (!nameMarks) continue;
    const width = context.measureText(mark.label).width;
    const turned = x + width + 10 * ratio > bbox.left + bbox.width;
    // All of it is within the chart, over its own line if it has to be.
    const left = Math.max(bbox.left, turned ? x - 5 * ratio - width : x + 5 * ratio);
    if (left + width > free) continue;
    free = left - 6 * ratio;
    // Over a curve or a rule the words would be hard to read.
    context.fillStyle = colors["surface-1"];
    context.fillRect(left - 3 * ratio, bbox.top - 6 * ratio, width + 6 * ratio, 14 * ratio);
    context.textAlign = "left";
    context.fillStyle = colors.accent;
    context.fillText(mark.label, left, bbox.top - 4 * ratio);
  }
  context.restore();
}
