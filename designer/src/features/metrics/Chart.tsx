import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useStore } from "zustand";
import { themeStore } from "../../kernel/ui/index.js";
import { chartData, grainOf, maxOf, type ChartData } from "../../kernel/live/chartData.js";
import { ChartTitle } from "../../kernel/ui/ChartTitle.js";
import { formatDuration } from "../../kernel/live/figures/format.js";
import { liveStore } from "../../kernel/live/liveStore.js";
import { DUE, type Curve } from "./metricsCurves.js";
import { stepOf } from "../../kernel/live/metricsRange.js";
import { metricsStore, resetZoom, shownSpan, zoomTo } from "./metricsStore.js";
import { curvesOf } from "../../kernel/live/metricsTarget.js";
import { steadyTop } from "../../kernel/ui/niceTop.js";
import { paintMarks, type Marks } from "./paintMarks.js";
import { GUTTER, paintRules, type Rules } from "../../kernel/ui/look/paintRules.js";
import { Ring } from "../../kernel/live/track/ring.js";
import { paintTimes, type Times } from "./paintTimes.js";
import { faded, readThemeColors } from "../../kernel/ui/look/themeColors.js";

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

const DASHES = [4, 3];
/** Of a curve that nothing is known of. */
const NO_RING = new Ring(1);

const REDRAW_MS = 200;

type Painter = Rules & Times & Marks;

/** One crosshair, and one part to zoom into, for all charts of the panel. */
const SYNC: uPlot.Cursor.Sync = {
  key: "metrics",
  scales: ["x", null],
  // Where the pointer is; each chart is told of a zoom by the store.
  filters: { pub: (type) => type === "mousemove" || type === "mouseleave" },
};

/** Curves of one node over the range that is shown; holes in the data stay holes in the line. */
export function Chart({ title, target, curves: own, format, top, due, nameMarks = false }: ChartProps) {
  const curves = useMemo(() => (due ? [...own, DUE] : own), [own, due]);
  const box = useRef<HTMLDivElement>(null);
  const figures = useRef<HTMLSpanElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  const epoch = useStore(themeStore, (state) => state.epoch);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const colors = readThemeColors(epoch);
    const { range, zoom } = metricsStore.getState();
    const painter: Painter = { colors, top: 1, format, nameMarks, binary: "", range, zoom };
    let shown: [number, number] = [0, range.seconds];
    let data: ChartData = [[], ...curves.map(() => [])];
    const plot = new uPlot(
      {
        width: Math.max(element.clientWidth, 50),
        height: Math.max(element.clientHeight, 50),
        padding: [8, GUTTER, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          points: { size: 6 },
          drag: { x: true, y: false, setScale: false, dist: 4 },
          bind: { dblclick: () => () => (resetZoom(), null) },
          sync: SYNC,
        },
        scales: { x: { time: false, range: () => shown }, y: { range: () => [0, painter.top] } },
        axes: [
          { size: 22, values: () => [], grid: { show: false }, ticks: { show: false } },
          { show: false },
        ],
        series: [
          {},
          ...curves.map(({ color, area, dashed }): uPlot.Series => ({
            stroke: colors[color],
            width: 1.5,
            points: { show: false },
            ...(dashed ? { dash: DASHES } : {}),
            ...(area ? { fill: faded(colors[color], 14) } : {}),
            spanGaps: false,
          })),
        ],
        hooks: {
          drawClear: [(self) => paintRules(self, painter), (self) => paintTimes(self, painter)],
          draw: [(self) => paintMarks(self, painter)],
          setCursor: [() => showTitle()],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width < 4) return;
              zoomTo(self.posToVal(left, "x"), self.posToVal(left + width, "x"));
              self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
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
        const absent = (curve.ring === "due" || curve.ring === "expired") && (value ?? null) === null;
        const text = absent ? "" : `${curve.label} ${format(value ?? null)}`.trim();
        const figure = figures.current?.children[which];
        if (figure && figure.textContent !== text) figure.textContent = text;
      });
      const when = time.current;
      const ago = hovered ? Date.now() - (data[0][index] ?? 0) * 1000 : 0;
      if (when) when.textContent = hovered ? `${formatDuration(ago)} ago` : "";
    };
    let last = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      clearTimeout(timer);
      timer = undefined;
      last = performance.now();
      const state = metricsStore.getState();
      const { from, to } = shownSpan(state, Date.now());
      shown = [from, to];
      painter.range = state.range;
      painter.zoom = state.zoom;
      const found = curvesOf(target);
      painter.binary = found?.track.binary ?? "";
      data = found
        ? chartData(
            found.track.times,
            own.map(({ ring, worst }) => ({
              ring: found.series[ring as keyof typeof found.series] ?? NO_RING,
              of: worst ? "max" : "mean",
            })),
            from,
            to,
            grainOf(found.track.times, from, to, stepOf(to - from)),
          )
        : [[], ...curves.map(() => [])];
      if (due) data[own.length + 1] = data[0].map((at) => due(target, at));
      painter.top = top ?? steadyTop(painter.top, maxOf(data));
      plot.setData(data, true);
      showTitle();
      const age = found ? performance.now() - found.track.receivedAt : 0;
      if (found && age > 2000 && time.current) time.current.textContent = `${formatDuration(age)} old`;
    };
    const later = () => {
      const wait = REDRAW_MS - (performance.now() - last);
      timer ??= setTimeout(draw, Math.max(0, wait));
    };
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: Math.max(element.clientWidth, 50), height: Math.max(element.clientHeight, 50) });
    });
    observer.observe(element);
    // Another range or zoom is drawn at once: the crosshair is one for charts that show the same time.
    const stops = [liveStore.subscribe(later), metricsStore.subscribe(draw)];
    draw();
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      observer.disconnect();
      plot.destroy();
    };
  }, [target, epoch, own, curves, due, format, top, nameMarks]);

  return (
    <figure className="chart" aria-label={title} style={{ margin: 0 }}>
      <ChartTitle title={title} curves={curves} refs={{ figures, time }} />
      <div className="chart-plot" ref={box} />
    </figure>
  );
}
