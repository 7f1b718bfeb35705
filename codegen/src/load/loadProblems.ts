import { problem, type Problem } from "../model/diagnostics/index.js";
import { type LoadReport, rateText, targetText } from "../contract/index.js";

/** From here on the simulator, not its target, may be what could not keep up. */
const BUSY = 0.9;
/** Seconds before and after the decisive one: a start is always busy. */
const AROUND_S = 3;

/** What the reader of a report has to know beside its figures. */
export function loadProblems(report: LoadReport): Problem[] {
  const { outcome, breakingPoint, seconds, target, whole } = report;
  const found: Problem[] = [];
  if (outcome === "failed")
    found.push(problem("PS886", "", `${targetText(target)} was gone after ${seconds.length} s`));
  // A flow may end its events before they count as done.
  const isNone = whole?.completed === 0 && (target.kind === "url" ? whole.sent : whole.failed) > 0;
  if (whole && isNone)
    found.push(
      problem("PS873", "", `${targetText(target)}: nothing was done of ${rateText(whole.sent)} sent`),
    );
  const decisive = breakingPoint?.second ?? seconds.length;
  const around = seconds.filter(({ second }) => Math.abs(second - decisive) <= AROUND_S);
  const busy = around.reduce((sum, one) => sum + (one.busy ?? 0), 0) / Math.max(1, around.length);
  if (busy >= BUSY) {
    const when = breakingPoint === null ? "at the end" : "when it broke";
    found.push(
      problem(
        "PS887",
        "",
        `The simulator itself was at work for ${Math.round(busy * 100)} % of the time ${when}`,
      ),
    );
  }
  return found;
}
