import type uPlot from "uplot";
import { tickWords, type MetricsRange, type Zoom } from "../../kernel/live/metricsRange.js";
import { formatClock } from "../../kernel/live/figures/format.js";
import { FONT } from "../../kernel/ui/look/paintRules.js";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";

export interface Times {
  colors: ThemeColors;
  range: MetricsRange;
  zoom: Zoom | null;
}

/** Room for `21:31:30` and some air. */
const CLOCK_WIDTH = 76;
/** Of `-60 s`. */
const TICK_WIDTH = 46;

/** Where along the axis there are words, 0 to 1: how long ago, or the time of day in a zoom. */
function ticksOf({ range, zoom }: Times, width: number): { share: number; text: string }[] {
  if (zoom) {
    const shares = width < 5 * CLOCK_WIDTH ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
    return shares.map((share) => ({
      share,
      text: formatClock((zoom.from + (zoom.to - zoom.from) * share) * 1000),
    }));
  }
  const words = tickWords(range);
  const ticks = range.ticks.map((ago, index) => ({
    share: 1 - ago / range.seconds,
    text: words[index] ?? "",
  }));
  // Where they would run into each other, the ends say enough.
  return width < ticks.length * TICK_WIDTH
    ? ticks.filter((_, at) => at === 0 || at === ticks.length - 1)
    : ticks;
}

/** Times below the curves; drawn here because uPlot's own labels are cut at both ends. */
export function paintTimes(plot: uPlot, times: Times): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  context.save();
  context.font = FONT.replace("11px", `${11 * ratio}px`);
  context.textBaseline = "top";
  context.fillStyle = times.colors["text-3"];
  for (const { share, text } of ticksOf(times, bbox.width / ratio)) {
    context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
    context.fillText(text, bbox.left + bbox.width * share, bbox.top + bbox.height + 6 * ratio);
  }
  context.restore();
}
