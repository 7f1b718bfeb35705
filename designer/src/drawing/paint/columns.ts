import { formatMicros, formatRate, type Figure } from "../../kernel/live/figures/format.js";

/**
 * The live strip as text on a grid of equal columns (the figures' font is monospaced): bright and
 * dim characters as two strings, so a part costs two draw calls and no digit ever moves another.
 */
export interface Strip {
  bright: string;
  dim: string;
  /** What stands between the rate and the right end, in the middle of both: from there on, half a column included. */
  between?: { at: number; bright: string; dim: string };
  /** Drawn in the colour of errors; mostly spaces or empty. */
  bad: string;
}

export interface StripFigures {
  /** Served a second. */
  rate: number;
  errorRate: number;
  /** A second, whose deadline passed before they were served. */
  expired?: number;
  /** Medians of what it ran and waited; both null: the binary does not tell them apart. */
  ran?: number | null;
  waited?: number | null;
  /** Of the whole time; shown where there are no parts. */
  p50: number | null;
  p99: number | null;
  /** Why they fail, when it is known: "not written". */
  errorWords?: string;
  /** What is wrong whether or not something fails: "stuck 12 s". */
  alarm?: string;
}

const RATE_DIGITS = 3;
/** `ran 3.1ms`, and one more for the longer `wait`. */
const SLOT = 9;
const WIDE_SLOT = 10;

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

/** `p50 3.1ms`: the label left, a column, three for the digits, then two for the unit. */
const latencyText = (label: string, { digits, unit }: Figure) => ({
  bright: `${label} ${digits.padStart(3)}`,
  dim: " ".repeat(label.length + 4) + unit,
});

/** How much fails and, where more than that comes too late, how much expires. */
function failingText({ errorRate, expired = 0, alarm, errorWords }: StripFigures): string | undefined {
  if (alarm !== undefined) return alarm;
  const late = expired > Math.max(0, errorRate || 0);
  if (!late && !(errorRate > 0)) return undefined;
  if (!late && errorWords !== undefined) return errorWords;
  const { digits, unit } = formatRate(late ? expired : errorRate);
  return `${digits.padStart(late ? 3 : 4)}${unit} ${late ? "late" : "err"}`;
}

/**
 * Lays out what fits: the rate left, what it waited right, what it ran between them where there is room, in a
 * narrow box in its place; p99 and p50 of the whole time where the two are not told apart.
 */
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

  const { ran = null, waited = null } = figures;
  const apart = ran !== null || waited !== null;
  const twoFit = columns - WIDE_SLOT - rateEnd > SLOT + 1;
  const [middleFigure, rightFigure] = apart
    ? twoFit
      ? [["ran", ran] as const, ["wait", waited] as const]
      : [["", null] as const, ["ran", ran] as const]
    : [["p50", figures.p50] as const, ["p99", figures.p99] as const];
  const text = failingText(figures);
  const rightAt = columns - (rightFigure[0] === "wait" ? WIDE_SLOT : SLOT);
  const middle = rightAt - rateEnd;
  // What stands between keeps a column free towards what stands right.
  const fits = text !== undefined && middle > text.length;
  if (text !== undefined) {
    bad.put(fits ? rateEnd + Math.floor((middle - text.length) / 2) : columns - text.length, text);
    if (!fits) return { bright: bright.toString(), dim: dim.toString(), bad: bad.toString() };
  }
  const gap = middle + 1 - SLOT;
  const between =
    text === undefined && gap > 1 && middleFigure[1] !== null
      ? { ...latencyText(middleFigure[0], formatMicros(middleFigure[1])), at: rateEnd - 1 + gap / 2 }
      : undefined;
  if (rightAt >= rateEnd && rightFigure[1] !== null) {
    const right = latencyText(rightFigure[0], formatMicros(rightFigure[1]));
    bright.put(rightAt, right.bright);
    dim.put(rightAt, right.dim);
  }
  return { bright: bright.toString(), dim: dim.toString(), bad: bad.toString(), ...(between && { between }) };
}
