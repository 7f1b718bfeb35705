import { type LoadReport, type LoadSecond, outcomeText, targetText, wholeText } from "../contract/index.js";

const WIDTH = 960;
const LEFT = 64;
const RIGHT = 16;
const PANEL = 150;
const GAP = 44;
const TOP = 104;
const PLOT = WIDTH - LEFT - RIGHT;

/** Seconds between two figures of the time, whichever gives eight of them at most. */
const TIME_STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

interface Curve {
  name: string;
  style: string;
  of: (second: LoadSecond) => number | null;
}
interface Panel {
  title: string;
  curves: Curve[];
  /** How a value of the scale is written. */
  text: (value: number) => string;
  logarithmic: boolean;
}

const whole = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
const time = (micros: number): string =>
  micros >= 1e6
    ? `${whole(micros / 1e6)} s`
    : micros >= 1000
      ? `${whole(micros / 1000)} ms`
      : `${whole(micros)} µs`;

const PANELS: Panel[] = [
  {
    title: "events a second",
    text: whole,
    logarithmic: false,
    curves: [
      { name: "due", style: "due", of: ({ target }) => target },
      { name: "done", style: "one", of: ({ completed }) => completed },
      { name: "failed", style: "bad", of: ({ failed }) => failed },
    ],
  },
  {
    title: "latency",
    text: time,
    logarithmic: true,
    curves: [
      { name: "p50", style: "one", of: ({ p50Us }) => p50Us },
      { name: "p99", style: "two", of: ({ p99Us }) => p99Us },
    ],
  },
  {
    title: "events that wait",
    text: whole,
    logarithmic: false,
    curves: [
      { name: "waiting", style: "one", of: ({ waiting }) => waiting },
      { name: "in queues", style: "two", of: ({ queued }) => queued },
    ],
  },
];

const STYLE = `
text{font:12px system-ui,sans-serif;fill:#50606f}
.title{font-size:15px;font-weight:600;fill:#17212b}
.rule{stroke:#e1e6eb;stroke-width:1}
path{fill:none;stroke-width:1.5}
.due{stroke:#687786;stroke-dasharray:4 3}.one{stroke:#1f6fd1}.two{stroke:#c2620c}.bad{stroke:#c5322e}
text.due{stroke:none;fill:#687786}text.one{stroke:none;fill:#1f6fd1}text.two{stroke:none;fill:#c2620c}text.bad{stroke:none;fill:#c5322e}
.missed{fill:#c5322e;opacity:.08}
.broke{stroke:#c5322e;stroke-dasharray:3 3}
.paper{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#9da8b4}.title{fill:#e7ebf0}.rule{stroke:#272e37}.paper{fill:#13171c}
.one{stroke:#5aa9ff}.two{stroke:#f59f4c}text.one{fill:#5aa9ff}text.two{fill:#f59f4c}}
`;

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "");
const px = (value: number): string => String(Math.round(value * 10) / 10);

/** The next of 1, 2, 5 times a power of ten that is at least `value`. */
function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9)) ?? 10);
}

/** Where values lie, 0 (bottom) to 1 (top), and which of them get a rule. */
function scaleOf(
  panel: Panel,
  values: readonly number[],
): { at: (value: number) => number; rules: number[] } {
  const most = values.reduce((max, value) => Math.max(max, value), 0);
  const positive = values.filter((value) => value > 0);
  if (!panel.logarithmic || positive.length === 0) {
    const top = roundUp(most);
    return { at: (value) => value / top, rules: [0, top / 2, top] };
  }
  const low = Math.floor(Math.log10(positive.reduce((min, value) => Math.min(min, value))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)));
  const rules = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { at: (value) => Math.max(0, (Math.log10(Math.max(value, 1e-9)) - low) / (high - low)), rules };
}

/** A line over the seconds; a second without a figure breaks it. */
function pathOf(
  curve: Curve,
  seconds: readonly LoadSecond[],
  x: (s: number) => number,
  y: (v: number) => number,
): string {
  let pen = "M";
  return seconds
    .map((second) => {
      const value = curve.of(second);
      if (value === null) {
        pen = "M";
        return "";
      }
      const piece = `${pen}${px(x(second.second + 0.5))} ${px(y(value))}`;
      pen = "L";
      return piece;
    })
    .join("");
}

function drawPanel(
  panel: Panel,
  top: number,
  seconds: readonly LoadSecond[],
  x: (s: number) => number,
): string {
  const curves = panel.curves.filter(({ of }) => seconds.some((second) => (of(second) ?? 0) > 0));
  const values = curves.flatMap(({ of }) => seconds.map((second) => of(second) ?? 0));
  const { at, rules } = scaleOf(panel, values);
  const y = (value: number): number => top + PANEL * (1 - at(value));
  let legendAt = LEFT + 130;
  return [
    `<text x="${LEFT}" y="${top - 10}">${panel.title}</text>`,
    ...curves.map(({ name, style }) => {
      const word = `<text class="${style}" x="${legendAt}" y="${top - 10}">${name}</text>`;
      legendAt += 20 + name.length * 7;
      return word;
    }),
    ...rules.map(
      (value) =>
        `<path class="rule" d="M${LEFT} ${px(y(value))}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${px(y(value) + 4)}" text-anchor="end">${panel.text(value)}</text>`,
    ),
    ...seconds
      .filter(({ held }) => !held)
      .map(
        ({ second }) =>
          `<rect class="missed" x="${px(x(second))}" y="${top}" width="${px(x(second + 1) - x(second))}" height="${PANEL}"/>`,
      ),
    ...curves.map((curve) => `<path class="${curve.style}" d="${pathOf(curve, seconds, x, y)}"/>`),
  ].join("\n");
}

/** A load as an SVG page: throughput beside what was due, latency, and what waited, over its seconds. */
export function loadChart(report: LoadReport): string {
  const { seconds, breakingPoint, target, whole } = report;
  const length = Math.max(1, seconds.length);
  const x = (second: number): number => LEFT + (PLOT * second) / length;
  const height = TOP + PANELS.length * (PANEL + GAP);
  const bottom = height - GAP;
  const step = TIME_STEPS.find((one) => length / one <= 8) ?? Math.ceil(length / 8);
  const ticks = Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escape(`Load on ${targetText(target)}`)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${LEFT}" y="26">${escape(targetText(target))}</text>`,
    `<text x="${LEFT}" y="46">${escape(outcomeText(report))}</text>`,
    ...(whole === null ? [] : [`<text x="${LEFT}" y="64">${escape(wholeText(whole, target))}</text>`]),
    ...PANELS.map((panel, index) => drawPanel(panel, TOP + index * (PANEL + GAP), seconds, x)),
    ...ticks.map(
      (second) => `<text x="${px(x(second))}" y="${bottom + 18}" text-anchor="middle">${second} s</text>`,
    ),
    ...(breakingPoint === null
      ? []
      : [`<path class="broke" d="M${px(x(breakingPoint.second))} ${TOP}V${bottom}"/>`]),
    "</svg>",
    "",
  ].join("\n");
}
