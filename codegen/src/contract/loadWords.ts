import type { LoadFault, LoadReport, LoadTarget } from "./load.js";

/** `390`, `0.5`, `12,500`: a rate as people write it. */
export const rateText = (perSecond: number): string =>
  perSecond.toLocaleString("en-US", { maximumFractionDigits: perSecond < 10 ? 2 : 0 });

/** `ads-server Impressions`, `POST http://...`. */
export const targetText = (target: LoadTarget): string =>
  target.kind === "flow" ? `${target.binary} ${target.flow}` : `${target.method} ${target.url}`;

const FAULT: Record<LoadFault, string> = {
  throughput: "fewer events were done than were due",
  losses: "events were lost",
  waiting: "more and more events waited",
  gone: "it was gone",
};

/** What a load came to, or has come to so far, in one sentence. */
export function outcomeText(report: LoadReport): string {
  const { breakingPoint, heldPerSecond, settings, seconds } = report;
  const held = heldPerSecond === null ? "no step was held to its end" : `held ${rateText(heldPerSecond)}/s`;
  if (breakingPoint !== null) {
    const { brokeAt, second, fault } = breakingPoint;
    const recovery = fault === "gone" ? "" : `, no recovery within ${settings.recoveryS} s`;
    return `${held}; broke at ${rateText(brokeAt)}/s after ${second} s: ${FAULT[fault]}${recovery}`;
  }
  return seconds.length === 0 ? "nothing was measured" : held;
}
