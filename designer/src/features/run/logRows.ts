import type { LogLine } from "@penstock/codegen/contract";

/** Of a box that shows lines of a log, in pixels. */
export interface LogBox {
  /** Between its edges. */
  width: number;
  /** Of a character, each of which is as wide; 0 while that is not known. */
  cell: number;
  /** Characters of the longest name of a process. */
  names: number;
}

/** Left of a text: `12:34:56.789`, the name of the process, and the room beside each of them (log-row in shell.css). */
const [TIME, LEAST_NAME, GAP] = [12, 88, 12];
/** Longer names push their own text aside, and nobody else's. */
const LONGEST_NAME = 32;
/** Left and right of a line. */
export const EDGE = 14;
const TAB = 8;

/** The column of names is as wide for all lines, so that texts begin one below the other. */
const nameColumn = ({ cell, names }: Omit<LogBox, "width">): number =>
  Math.max(LEAST_NAME, Math.min(names, LONGEST_NAME) * cell);

/** Between the name of a process and the text. */
export const nameGap = (binary: string, box: Omit<LogBox, "width">): number =>
  Math.max(nameColumn(box) - binary.length * box.cell, 0) + GAP;

/** How far in a text begins, and its rows after the first one. */
export const indentOf = (binary: string, box: Omit<LogBox, "width">): number =>
  (TIME + binary.length) * box.cell + GAP + nameGap(binary, box);

const cellsOf = (text: string): number =>
  text.includes("\t") ? text.length + (TAB - 1) * (text.split("\t").length - 1) : text.length;

/** Words with the blanks behind them, which may stand beyond the end of a row; a hyphen in a word ends one, too. */
const BETWEEN_WORDS = /(?<=\s)(?=\S)|(?<=\w-)(?=\w)/;

function rowsOf({ binary, text }: LogLine, box: LogBox): number {
  const { width, cell } = box;
  if (cell === 0) return 1;
  const columns = Math.max(1, Math.floor((width - 2 * EDGE - indentOf(binary, box)) / cell));
  if (cellsOf(text) <= columns) return 1;
  let [rows, column] = [1, 0];
  for (const piece of text.split(BETWEEN_WORDS)) {
    const cells = piece.trimEnd().length;
    if (column > 0 && column + cells > columns) {
      rows++;
      column = 0;
    }
    // Longer than a row, it is broken at each end of one.
    if (cells > columns) {
      rows += Math.ceil(cells / columns) - 1;
      column = cells - columns * (Math.ceil(cells / columns) - 1);
    } else column += cells;
    column += cellsOf(piece) - cells;
  }
  return rows;
}

/**
 * The row at which each line begins, and at the end of it how many rows there are: texts are broken between
 * words, as the browser does it, so that this is known of lines that are not in the page. It is a guess where a font has wider
 * characters, or a language other places to break at.
 */
export function startsOf(lines: readonly LogLine[], box: LogBox): number[] {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + rowsOf(line, box));
  return starts;
}

/** Which line a row is of; the last one of what is beyond it. */
export function lineAt(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
