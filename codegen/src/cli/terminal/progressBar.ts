import type { BenchStatus, BuildStatus } from "../../contract/index.js";
import type { Output } from "./output.js";

const CELLS = 24;

/** In words: that somebody else works is not what a build says as a rule. */
const WAITING = "waiting for the runtime library, which set-up builds";

type Progress = Pick<BuildStatus | BenchStatus, "phase" | "done" | "total" | "current">;

/** `[########................] 3/9 src/services/get_ad.cpp`, cut to `width` columns. */
export function progressLine(status: Progress, width: number): string {
  const done = status.total === 0 ? 0 : Math.round((status.done / status.total) * CELLS);
  const bar = `[${"#".repeat(done)}${".".repeat(CELLS - done)}]`;
  const count = status.total === 0 ? status.phase : `${status.done}/${status.total}`;
  const what = status.phase === "waiting" ? WAITING : status.current;
  return `${bar} ${count} ${what}`.trimEnd().slice(0, Math.max(10, width));
}

/**
 * Shows a build's progress on stderr: a bar that is redrawn on a terminal, elsewhere one line a
 * phase. `end` clears the bar, so that what follows starts on a clean line.
 */
export function buildProgress(output: Output): { show(status: Progress): void; end(): void } {
  let phase = "";
  return {
    show(status) {
      if (output.live) {
        output.redraw(progressLine(status, (process.stderr.columns ?? 80) - 1));
      } else if (
        status.phase !== phase &&
        ["generating", "waiting", "configuring", "compiling", "measuring"].includes(status.phase)
      ) {
        output.note(status.phase === "waiting" ? WAITING : status.phase);
      }
      phase = status.phase;
    },
    end() {
      if (output.live) output.redraw("");
    },
  };
}
