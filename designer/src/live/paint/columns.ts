import { formatMicros, formatRate, type Figure } from "../format.js";

/**
 * The live strip as text on a grid of equal columns (the figures' font is monospaced): bright and
 * dim characters as two strings, so a strip costs two draw calls and no digit ever moves another.
 */
export interface Strip {
  bright: string;
  dim: string;
  /** Drawn in the colour of errors; mostly spaces or empty. */
  bad: string;
}

export interface StripFigures {
  rate: number;
  errorRate: number;
  p50: number | null;
  p99: number | null;
  /** Why they fail, when it is known: "not written". */
  errorWords?: string;
  /** What is wrong whether or not something fails: "stuck 12 s". */
  alarm?: string;
}

const RATE_DIGITS = 3;
const SLOT = 9;

class Line {
  private readonly cells: string[];
  constructor(columns: number) {
    this.cells = Array.from({ length: Math.max(columns, 0) }, () => " ");
  }
  put(at: number, text: string): void {
    for (let index = 0; index < text.length; index++)
      if (at + index >= 0 && at + index < this.cells.length) this.cells[at + index] = text[index] ?? " ";
  }
  toString(): string {
    return this.cells.join("").trimEnd();
  }
}

/** `p50 3.1ms` in nine columns: the label left, three for the digits, then two for the unit. */
function putLatency(bright: Line, dim: Line, at: number, label: string, figure: Figure): void {
  bright.put(at, label);
  bright.put(at + 4, figure.digits.padStart(3));
  dim.put(at + 7, figure.unit);
}

/** Lays out what fits: the rate left, p99 right, p50 between them where there is room. */
export function layOutStrip(figures: StripFigures, columns: number): Strip {
  const bright = new Line(columns);
  const dim = new Line(columns);
  const bad = new Line(columns);
  const rate = formatRate(figures.rate);
  const digits = rate.digits.padStart(RATE_DIGITS);
  bright.put(0, digits);
  dim.put(digits.length, rate.unit);
  // One column free behind "421/s"; a longer "1.23k/s" pushes p50 by what it needs, no more.
  const rateEnd = Math.max(RATE_DIGITS + 3, digits.length + rate.unit.length + 1);

  const failing = figures.errorRate > 0 || figures.alarm !== undefined;
  const p99At = columns - SLOT;
  const middle = p99At - rateEnd;
  if (failing) {
    const errors = formatRate(figures.errorRate);
    const text = figures.alarm ?? figures.errorWords ?? `${errors.digits.padStart(4)}${errors.unit} err`;
    bad.put(
      middle >= text.length ? rateEnd + Math.floor((middle - text.length) / 2) : columns - text.length,
      text,
    );
    if (middle < text.length) return { bright: bright.toString(), dim: dim.toString(), bad: bad.toString() };
  } else if (middle >= SLOT && figures.p50 !== null)
    putLatency(bright, dim, rateEnd + Math.floor((middle - SLOT) / 2), "p50", formatMicros(figures.p50));
  if (p99At >= rateEnd && figures.p99 !== null)
    putLatency(bright, dim, p99At, "p99", formatMicros(figures.p99));
  return { bright: bright.toString(), dim: dim.toString(), bad: bad.toString() };
}
