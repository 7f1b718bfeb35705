import { short } from "./figures.mjs";

/** Ours, a physical limit, or somebody else's. */
export const sideOf = (contender) =>
  contender.startsWith("penstock") ? "ours" : contender.startsWith("limit") ? "limit" : "peer";

/** Dark on a light card of its own, so that it reads the same on a light and on a dark page. */
const COLOURS = { ours: "#0f766e", peer: "#94a3b8", limit: "#e2e8f0" };
const WIDTH = 760;
const NAMES = 170;
const FIGURES = 90;
const ROW = 26;
const HEADING = 34;

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const round = (value) => Math.round(value * 10) / 10;

function bar(result, y, most) {
  const room = WIDTH - NAMES - FIGURES - 24;
  const at = (value) => round(NAMES + (value / most) * room);
  const side = sideOf(result.contender);
  const middle = y + ROW / 2;
  const edge = side === "limit" ? ' stroke="#64748b" stroke-dasharray="3 2"' : "";
  const weight = side === "ours" ? ' font-weight="600"' : "";
  return [
    `<text x="${NAMES - 10}" y="${middle + 4}" text-anchor="end"${weight}>${escaped(result.contender)}</text>`,
    `<rect x="${NAMES}" y="${y + 4}" width="${Math.max(1, round(at(result.median) - NAMES))}" height="${ROW - 8}" rx="2" fill="${COLOURS[side]}"${edge}/>`,
    `<path d="M${at(result.min)} ${middle}H${at(result.max)}M${at(result.min)} ${middle - 4}v8M${at(result.max)} ${middle - 4}v8" stroke="#1e293b" fill="none"/>`,
    `<text x="${at(Math.max(result.max, result.median)) + 8}" y="${middle + 4}"${weight}>${short(result.median)}</text>`,
  ];
}

const frame = (title, height) => [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13" fill="#1e293b">`,
  `<title>${escaped(title)}</title>`,
  `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="#cbd5e1"/>`,
];

const PLOT = { left: 64, right: 24, top: 62, height: 200, below: 40 };

/** A round number of which four to eight make `most`. */
function stepOf(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => most / step <= 8);
}

/**
 * Lines over seconds as SVG, from zero up. `lines` are `{name, side, values}`, a value a second; `marks` say what begins at
 * which second, `{at, name}`.
 */
export function lineChart(title, { unit, lines, marks }) {
  const seconds = Math.max(...lines.map(({ values }) => values.length)) - 1;
  const most = Math.max(...lines.flatMap(({ values }) => values));
  const step = stepOf(most);
  const top = Math.ceil(most / step) * step;
  const bottom = PLOT.top + PLOT.height;
  const x = (second) => round(PLOT.left + (second / seconds) * (WIDTH - PLOT.left - PLOT.right));
  const y = (value) => round(bottom - (value / top) * PLOT.height);
  const drawn = frame(title, bottom + PLOT.below);
  lines.forEach(({ name, side }, index) => {
    const at = PLOT.left + index * 200;
    drawn.push(
      `<path d="M${at} 24h22" stroke="${COLOURS[side]}" stroke-width="2.5"/>`,
      `<text x="${at + 30}" y="28">${escaped(name)}</text>`,
    );
  });
  for (let value = 0; value <= top; value += step)
    drawn.push(
      `<path d="M${PLOT.left} ${y(value)}H${WIDTH - PLOT.right}" stroke="#e2e8f0"/>`,
      `<text x="${PLOT.left - 8}" y="${y(value) + 4}" text-anchor="end" fill="#475569">${value === 0 ? "0" : short(value)}</text>`,
    );
  for (const { at, name } of marks)
    drawn.push(
      `<path d="M${x(at)} ${PLOT.top - 12}V${bottom}" stroke="#64748b" stroke-dasharray="3 2"/>`,
      `<text x="${x(at) + 6}" y="${PLOT.top - 4}" fill="#475569">${escaped(name)}</text>`,
    );
  for (const { side, values } of lines)
    drawn.push(
      `<path d="M${values.map((value, second) => `${x(second)} ${y(value)}`).join("L")}" stroke="${COLOURS[side]}" stroke-width="2.5" fill="none"/>`,
    );
  for (let second = 0; second <= seconds; second += stepOf(seconds))
    drawn.push(
      `<text x="${x(second)}" y="${bottom + 18}" text-anchor="middle" fill="#475569">${second}</text>`,
    );
  drawn.push(
    `<text x="${WIDTH - PLOT.right}" y="${bottom + 34}" text-anchor="end" fill="#475569">seconds</text>`,
    `<text x="${PLOT.left}" y="${bottom + 34}" fill="#475569">${escaped(unit)}</text>`,
  );
  return `${drawn.join("\n")}\n</svg>\n`;
}

/**
 * Bars of one family as SVG: one block a workload, each with a scale of its own; the median as
 * the bar, min and max as its whisker. `blocks` are `{name, unit, results}`.
 */
export function chart(title, blocks) {
  const drawn = blocks.filter(({ results }) => results.length > 0);
  const height = drawn.reduce((sum, { results }) => sum + HEADING + results.length * ROW, 0) + 20;
  const lines = frame(title, height);
  let y = 8;
  for (const { name, unit, results } of drawn) {
    lines.push(
      `<text x="16" y="${y + 21}" font-weight="600">${escaped(name)}<tspan font-weight="400" fill="#475569"> ${escaped(unit)}, more is better</tspan></text>`,
    );
    y += HEADING;
    const most = Math.max(...results.map(({ max }) => max));
    for (const result of results) {
      lines.push(...bar(result, y, most));
      y += ROW;
    }
  }
  return `${lines.join("\n")}\n</svg>\n`;
}
