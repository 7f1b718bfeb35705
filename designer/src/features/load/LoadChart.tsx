import type { LoadReport, LoadSecond } from "@penstock/codegen/contract";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useStore } from "zustand";
import { maxOf, type ChartData } from "../../kernel/live/chartData.js";
import { ChartTitle } from "../../kernel/ui/ChartTitle.js";
import { niceTop } from "../../kernel/ui/niceTop.js";
import { FONT, GUTTER, paintRules } from "../../kernel/ui/look/paintRules.js";
import {
  faded,
  readThemeColors,
  type ColorName,
  type ThemeColors,
} from "../../kernel/ui/look/themeColors.js";
import { themeStore } from "../../kernel/ui/index.js";

export interface LoadCurve {
  label: string;
  color: ColorName;
  of: (second: LoadSecond) => number | null;
  dashed?: boolean;
  /** No figure in the title while it is 0, and no line when it always was. */
  seldom?: boolean;
  area?: boolean;
}
interface Props {
  title: string;
  report: LoadReport;
  curves: readonly LoadCurve[];
  format: (value: number | null) => string;
}

const DASHES = [4, 3];
/** A load of a few seconds does not fill the width with three points. */
const LEAST_SECONDS = 20;
/** Three moments below the curves would run into each other, in pixels. */
const NARROW = 120;

interface Painter {
  colors: ThemeColors;
  top: number;
  format: (value: number | null) => string;
  length: number;
  brokeAt: number | null;
}

/** Seconds of the load below the plot, and a dashed line where it broke. */
function paintSeconds(plot: uPlot, { colors, length, brokeAt }: Painter): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  context.save();
  context.font = FONT.replace("11px", `${11 * ratio}px`);
  context.textBaseline = "top";
  context.fillStyle = colors["text-3"];
  for (const share of bbox.width / ratio < NARROW ? [1] : [0, 0.5, 1]) {
    context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
    const text = `${Math.round(length * share)} s`;
    context.fillText(text, bbox.left + bbox.width * share, bbox.top + bbox.height + 6 * ratio);
  }
  if (brokeAt !== null) {
    const x = Math.round(plot.valToPos(brokeAt, "x", true)) + 0.5;
    context.strokeStyle = colors.bad;
    context.lineWidth = ratio;
    context.setLineDash([3 * ratio, 3 * ratio]);
    context.beginPath();
    context.moveTo(x, bbox.top);
    context.lineTo(x, bbox.top + bbox.height);
    context.stroke();
  }
  context.restore();
}

const dataOf = ({ seconds }: LoadReport, curves: readonly LoadCurve[]): ChartData => [
  seconds.map(({ second }) => second + 0.5),
  // A curve along the bottom that says nothing would lie over the rule.
  ...curves.map(({ of, seldom }) =>
    seldom && seconds.every((second) => !of(second)) ? seconds.map(() => null) : seconds.map(of),
  ),
];

/** Curves of a whole load, from its first second to its last. */
export function LoadChart({ title, report, curves, format }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const figures = useRef<HTMLSpanElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  const draw = useRef<(report: LoadReport) => void>(() => {});
  const latest = useRef(report);
  const epoch = useStore(themeStore, (state) => state.epoch);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const colors = readThemeColors(epoch);
    const painter: Painter = { colors, top: 1, format, length: LEAST_SECONDS, brokeAt: null };
    let data: ChartData = [[], ...curves.map(() => [])];
    const showTitle = (plot: uPlot) => {
      const index = plot.cursor.idx;
      const hovered = index !== null && index !== undefined && (plot.cursor.left ?? -1) >= 0;
      curves.forEach(({ label, seldom }, which) => {
        const values = data[which + 1] as (number | null)[];
        const value = (hovered ? values[index] : values.at(-1)) ?? null;
        const figure = figures.current?.children[which];
        if (figure) figure.textContent = seldom && !value ? "" : `${label} ${format(value)}`;
      });
      const when = time.current;
      if (when) when.textContent = hovered ? `at ${Math.floor(data[0][index] ?? 0)} s` : "";
    };
    const plot = new uPlot(
      {
        width: Math.max(element.clientWidth, 50),
        height: Math.max(element.clientHeight, 50),
        padding: [8, GUTTER, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
        scales: {
          x: { time: false, range: () => [0, painter.length] },
          y: { range: () => [0, painter.top] },
        },
        axes: [
          { size: 22, values: () => [], grid: { show: false }, ticks: { show: false } },
          { show: false },
        ],
        series: [
          {},
          ...curves.map(({ color, dashed, area }): uPlot.Series => ({
            stroke: colors[color],
            width: 1.5,
            points: { show: false },
            spanGaps: false,
            ...(dashed ? { dash: DASHES } : {}),
            ...(area ? { fill: faded(colors[color], 14) } : {}),
          })),
        ],
        hooks: {
          drawClear: [(self) => paintRules(self, painter)],
          draw: [(self) => paintSeconds(self, painter)],
          setCursor: [showTitle],
        },
      },
      data,
      element,
    );
    draw.current = (shown) => {
      data = dataOf(shown, curves);
      painter.top = niceTop(maxOf(data));
      painter.length = Math.max(LEAST_SECONDS, shown.seconds.length);
      painter.brokeAt = shown.breakingPoint?.second ?? null;
      plot.setData(data, true);
      showTitle(plot);
    };
    draw.current(latest.current);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(element.clientWidth, 50), height: Math.max(element.clientHeight, 50) }),
    );
    observer.observe(element);
    return () => {
      draw.current = () => {};
      observer.disconnect();
      plot.destroy();
    };
  }, [epoch, curves, format]);
  useEffect(() => {
    latest.current = report;
    draw.current(report);
  }, [report]);

  return (
    <figure className="chart" aria-label={title} style={{ margin: 0 }}>
      <ChartTitle title={title} curves={curves} refs={{ figures, time }} />
      <div className="chart-plot" ref={box} />
    </figure>
  );
}
