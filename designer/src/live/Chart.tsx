import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useStore } from "zustand";
import { themeStore } from "../ui/index.js";
import { chartData, maxOf, type ChartData } from "./chartData.js";
import { formatDuration } from "./format.js";
import { liveStore } from "./liveStore.js";
import { metricsStore } from "./metricsStore.js";
import { curvesOf } from "./metricsTarget.js";
import { steadyTop } from "./niceTop.js";
import { FONT, GUTTER, paintRules } from "./paintRules.js";
import { faded, readThemeColors, type ColorName, type ThemeColors } from "./themeColors.js";

export interface Curve {
  ring: "rate" | "p50" | "p99" | "due";
  /** Before the figure in the title; "" for none. */
  label: string;
  color: ColorName;
  /** Filled down to zero. */
  area?: boolean;
}
export interface ChartProps {
  title: string;
  target: string;
  curves: readonly Curve[];
  format: (value: number | null) => string;
  /** The end of the scale where it is known; else the curves decide. */
  top?: number;
  /** What a load asked of the target at a moment (seconds since the epoch): the dashed curve `due`. */
  due?: (target: string, at: number) => number | null;
  /** Marks are named on one of the charts only. */
  nameMarks?: boolean;
}

const DUE: Curve = { ring: "due", label: "due", color: "text-2" };
const DASHES = [4, 3];

const REDRAW_MS = 200;

interface Painter {
  colors: ThemeColors;
  top: number;
  format: (value: number | null) => string;
  nameMarks: boolean;
  binary: string;
  span: number;
}

/** Seconds before now; drawn here because uPlot's own labels are cut at both ends. */
function paintTimes(plot: uPlot, { colors, span }: Painter): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  context.save();
  context.font = FONT.replace("11px", `${11 * ratio}px`);
  context.textBaseline = "top";
  context.fillStyle = colors["text-3"];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const offset = -span * (1 - share);
    context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
    const text = share === 1 ? "now" : share === 0 ? `${offset} s` : String(offset);
    context.fillText(text, bbox.left + bbox.width * share, bbox.top + bbox.height + 6 * ratio);
  }
  context.restore();
}

function paintMarks(plot: uPlot, { colors, nameMarks, binary }: Painter): void {
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
    const left = turned ? x - 5 * ratio - width : x + 5 * ratio;
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

/** Curves of one node over the last minute or two; holes in the data stay holes in the line. */
export function Chart({ title, target, curves: own, format, top, due, nameMarks = false }: ChartProps) {
  const curves = useMemo(() => (due ? [...own, DUE] : own), [own, due]);
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const epoch = useStore(themeStore, (state) => state.epoch);
  const span = useStore(metricsStore, (state) => state.spanSeconds);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const colors = readThemeColors(epoch);
    const painter: Painter = { colors, top: 1, format, nameMarks, binary: "", span };
    let range: [number, number] = [0, span];
    let data: ChartData = [[], ...curves.map(() => [])];
    const plot = new uPlot(
      {
        width: Math.max(element.clientWidth, 50),
        height: Math.max(element.clientHeight, 50),
        padding: [8, GUTTER, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
        scales: { x: { time: false, range: () => range }, y: { range: () => [0, painter.top] } },
        axes: [
          { size: 22, values: () => [], grid: { show: false }, ticks: { show: false } },
          { show: false },
        ],
        series: [
          {},
          ...curves.map(({ color, area, ring }): uPlot.Series => ({
            stroke: colors[color],
            width: 1.5,
            points: { show: false },
            ...(ring === "due" ? { dash: DASHES } : {}),
            ...(area ? { fill: faded(colors[color], 14) } : {}),
            spanGaps: false,
          })),
        ],
        hooks: {
          drawClear: [(self) => paintRules(self, painter), (self) => paintTimes(self, painter)],
          draw: [(self) => paintMarks(self, painter)],
          setCursor: [() => showTitle()],
        },
      },
      data,
      element,
    );
    const showTitle = () => {
      const index = plot.cursor.idx;
      const hovered = index !== null && index !== undefined && (plot.cursor.left ?? -1) >= 0;
      curves.forEach((curve, which) => {
        const series = data[which + 1] as (number | null)[];
        const value = hovered ? series[index] : series.at(-1);
        const absent = curve.ring === "due" && (value ?? null) === null;
        const text = absent ? "" : `${curve.label} ${format(value ?? null)}`.trim();
        const figure = head.current?.children[which + 1];
        if (figure && figure.textContent !== text) figure.textContent = text;
      });
      const when = head.current?.lastElementChild;
      const seconds = hovered ? range[1] - (data[0][index] ?? range[1]) : 0;
      if (when) when.textContent = hovered ? `${seconds.toFixed(1)} s ago` : "";
    };
    let last = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      clearTimeout(timer);
      timer = undefined;
      last = performance.now();
      const { frozenAtMs } = metricsStore.getState();
      const to = (frozenAtMs ?? Date.now()) / 1000;
      range = [to - span, to];
      const found = curvesOf(target);
      painter.binary = found?.track.binary ?? "";
      data = found
        ? chartData(
            found.track.times,
            own.map((curve) => found.series[curve.ring as keyof typeof found.series]),
            range[0],
            range[1],
          )
        : [[], ...curves.map(() => [])];
      if (due) data[own.length + 1] = data[0].map((at) => due(target, at));
      painter.top = top ?? steadyTop(painter.top, maxOf(data));
      plot.setData(data, true);
      showTitle();
      const age = found ? performance.now() - found.track.receivedAt : 0;
      if (found && age > 2000 && head.current?.lastElementChild)
        head.current.lastElementChild.textContent = `${formatDuration(age)} old`;
    };
    const later = () => {
      const wait = REDRAW_MS - (performance.now() - last);
      timer ??= setTimeout(draw, Math.max(0, wait));
    };
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: Math.max(element.clientWidth, 50), height: Math.max(element.clientHeight, 50) });
    });
    observer.observe(element);
    const stops = [liveStore.subscribe(later), metricsStore.subscribe(later)];
    draw();
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      observer.disconnect();
      plot.destroy();
    };
  }, [target, span, epoch, own, curves, due, format, top, nameMarks]);

  return (
    <figure className="chart" aria-label={title} style={{ margin: 0 }}>
      <div className="chart-title" ref={head}>
        <span>{title}</span>
        {curves.map((curve) => (
          <b
            key={curve.ring}
            style={{ color: curve.label === "" ? "var(--text-1)" : `var(--${curve.color})` }}
          />
        ))}
        <span className="mono chart-time" />
      </div>
      <div className="chart-plot" ref={box} />
    </figure>
  );
}
