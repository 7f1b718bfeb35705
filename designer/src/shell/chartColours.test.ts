import { describe, expect, it } from "vitest";
import * as loadCurves from "../features/load/loadCurves.js";
import tokens from "../kernel/ui/look/tokens.css?raw";
import * as metricsCurves from "../features/metrics/metricsCurves.js";

type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** Colour `name` of a theme, linear. */
function colourOf(name: string, theme: "light" | "dark"): Rgb {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens);
  const hex = found?.[theme === "light" ? 1 : 2];
  if (hex === undefined) throw new Error(`no token ${name}`);
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const times = (rows: Matrix, [r, g, b]: Rgb): Rgb =>
  rows.map((row) => Math.min(1, Math.max(0, row[0] * r + row[1] * g + row[2] * b))) as unknown as Rgb;

/** Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision deficiency (2009). */
const EYES: Record<string, Matrix> = {
  "all cones": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no long ones": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no middle ones": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no short ones": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const LUMINANCE: Rgb = [0.2126, 0.7152, 0.0722];
const luminance = ([r, g, b]: Rgb): number => r * LUMINANCE[0] + g * LUMINANCE[1] + b * LUMINANCE[2];

/** CIE L*a*b*, in which distances are about those that are seen. */
function lab([r, g, b]: Rgb): Rgb {
  const root = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = root(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a: Rgb, b: Rgb): number => {
  const [p, q] = [lab(a), lab(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
};

interface Line {
  label: string;
  color: string;
  dashed?: boolean;
}
const { DUE, SERVED, RATE, ...others } = metricsCurves;
const charts: [string, Line[]][] = [
  ["served", [...SERVED, DUE]],
  ["rate", [...RATE, DUE]],
  ...Object.entries(others),
  ...Object.entries(loadCurves).map(([name, lines]): [string, Line[]] => [`load ${name}`, lines]),
];
/** Two solid lines are told apart by anybody; where one is dashed, by who sees all colours. */
const APART = 20;

describe.each(["light", "dark"] as const)("the curves of a chart, %s", (theme) => {
  it.each(charts)("%s: differ for every eye", (_name, lines) => {
    for (const [at, one] of lines.entries())
      for (const other of lines.slice(at + 1))
        for (const [eye, matrix] of Object.entries(EYES)) {
          if (one.dashed !== other.dashed && eye !== "all cones") continue;
          const [a, b] = [colourOf(one.color, theme), colourOf(other.color, theme)];
          const seen = distance(times(matrix, a), times(matrix, b));
          expect(seen, `${one.label} and ${other.label}, ${eye}`).toBeGreaterThanOrEqual(APART);
        }
  });

  it.each(charts)("%s: have lines, and figures in their colours, that can be seen", (_name, lines) => {
    const ground = luminance(colourOf("surface-1", theme));
    for (const { label, color } of lines) {
      const ink = luminance(colourOf(color, theme));
      const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      expect(contrast, label).toBeGreaterThanOrEqual(label === "" ? 3 : 4.5);
    }
  });
});

describe.each(["light", "dark"] as const)("words, %s", (theme) => {
  it.each(["text-1", "text-2", "text-3"])("%s can be read on every surface", (text) => {
    const ink = luminance(colourOf(text, theme));
    for (const surface of ["surface-1", "surface-2", "surface-3", "well", "canvas"]) {
      const ground = luminance(colourOf(surface, theme));
      const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      expect(contrast, surface).toBeGreaterThanOrEqual(4.5);
    }
  });
});
