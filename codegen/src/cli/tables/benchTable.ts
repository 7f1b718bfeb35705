import type { BenchResult } from "../../contract/index.js";
import type { Paint } from "../terminal/paint.js";

const HEADERS = ["benchmark", "ns/call", "calls/s", "min", "max", "before"] as const;

/** Nanoseconds with a decimal only where it says something. */
const nanoseconds = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");

const perSecond = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(2);

/** How the median has changed, in percent; empty without one to compare with. */
function change(now: BenchResult, previous: readonly BenchResult[]): string {
  const before = previous.find(({ name }) => name === now.name);
  if (before === undefined || !(before.median > 0)) return "";
  const percent = Math.round((now.median / before.median - 1) * 100);
  return percent === 0 ? "same" : `${percent > 0 ? "+" : ""}${percent} %`;
}

/** A row a benchmark, the dearest call first; `before` compares with the run before. */
export function benchTable(
  results: readonly BenchResult[],
  previous: readonly BenchResult[],
  paint: Paint,
): string[] {
  const rows = results
    .toSorted((one, other) => other.median - one.median)
    .map((one) => [
      one.name,
      nanoseconds(one.median),
      perSecond(1e9 / one.median),
      nanoseconds(one.min),
      nanoseconds(one.max),
      change(one, previous),
    ]);
  const compared = rows.some((row) => row.at(-1) !== "");
  const headers = compared ? HEADERS : HEADERS.slice(0, -1);
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => cell(cells[column] ?? "", column, width))
      .join("  ")
      .trimEnd();
  return [paint.dim(line(headers)), ...rows.map(line)];
}

const cell = (text: string, column: number, width: number): string =>
  column === 0 ? text.padEnd(width) : text.padStart(width);
