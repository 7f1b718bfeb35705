import { latencyText, type LoadReport, rateText } from "../../contract/index.js";
import type { Output } from "../terminal/output.js";

const CELLS = 24;

/**
 * `[######..................] 340/s due, 338/s done, p99 4.1 ms, 3 wait`: how far the load is, or the step
 * where only a breaking point ends it; cut to `width` columns.
 */
export function loadLine({ settings, seconds, lengthS }: LoadReport, width: number): string {
  const last = seconds.at(-1);
  const share =
    lengthS === null ? (seconds.length % settings.periodS) / settings.periodS : seconds.length / lengthS;
  const done = Math.min(CELLS, Math.round(share * CELLS));
  const bar = `[${"#".repeat(done)}${".".repeat(CELLS - done)}]`;
  if (last === undefined) return bar.slice(0, width);
  const words = [
    `${rateText(last.target)}/s due`,
    `${rateText(last.completed)}/s done`,
    ...(last.p99Us === null ? [] : [`p99 ${latencyText(last.p99Us)}`]),
    `${last.waiting} wait`,
    ...(last.failed > 0 ? [`${rateText(last.failed)}/s failed`] : []),
    ...(last.held ? [] : ["not held"]),
  ];
  return `${bar} ${words.join(", ")}`.slice(0, Math.max(10, width));
}

/** Shows a load on stderr: a bar that is redrawn on a terminal, elsewhere a line a step. */
export function loadProgress(output: Output): { show(report: LoadReport): void; end(): void } {
  let rate: number | null = null;
  return {
    show(report) {
      const last = report.seconds.at(-1);
      if (output.live) {
        output.redraw(loadLine(report, (process.stderr.columns ?? 80) - 1));
      } else if (last !== undefined && last.target !== rate) {
        rate = last.target;
        output.note(`loading with ${rateText(rate)}/s`);
      }
    },
    end() {
      if (output.live) output.redraw("");
    },
  };
}
