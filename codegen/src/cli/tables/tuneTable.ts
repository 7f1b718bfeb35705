import type { TunePoint } from "../../arrange/index.js";

const CELLS = 32;

const latency = (us: number | null): string => {
  if (us === null) return "–";
  return us < 1000
    ? `${Math.round(us)} us`
    : us < 1e6
      ? `${(us / 1000).toFixed(1)} ms`
      : `${(us / 1e6).toFixed(2)} s`;
};

/** One line a size, with a bar of its throughput; the best is marked. */
export function tuneTable(points: readonly TunePoint[], best: number): string[] {
  const most = Math.max(1, ...points.map(({ perSecond }) => perSecond));
  const rows = points.map(({ threads, perSecond, p99Us }) => [
    `${threads === best ? "*" : " "} ${threads}`,
    perSecond.toFixed(perSecond < 100 ? 1 : 0),
    latency(p99Us),
    "#".repeat(Math.round((perSecond / most) * CELLS)),
  ]);
  const all = [["  threads", "done/s", "p99", ""], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
