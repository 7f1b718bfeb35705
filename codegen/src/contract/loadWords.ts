import type { LoadFault, LoadReport, LoadTarget, LoadWhole } from "./load.js";

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
  const last = seconds.at(-1);
  const early =
    last !== undefined && seconds.every((one) => one.held)
      ? `kept up with ${rateText(last.target)}/s for less than a step`
      : "no step was held to its end";
  const held = heldPerSecond === null ? early : `held ${rateText(heldPerSecond)}/s`;
  if (breakingPoint !== null) {
    const { brokeAt, second, fault } = breakingPoint;
    const recovery = fault === "gone" ? "" : `, no recovery within ${settings.recoveryS} s`;
    return `${held}; broke at ${rateText(brokeAt)}/s after ${second} s: ${FAULT[fault]}${recovery}`;
  }
  return seconds.length === 0 ? "nothing was measured" : held;
}

/** What requests failed of most. */
export const chiefFailures = ({ failures }: Pick<LoadReport, "failures">): LoadReport["failures"] =>
  failures.slice(0, 3);

/** `249 failed: HTTP 401`, each a line. */
export const failureTexts = (report: Pick<LoadReport, "failures">): string[] =>
  chiefFailures(report).map(({ reason, count }) => `${rateText(count)} failed: ${reason}`);

/** `340 µs`, `18.2 ms`, `1.6 s`. */
export const latencyText = (micros: number): string =>
  micros >= 1e6
    ? `${(micros / 1e6).toFixed(1)} s`
    : micros >= 1000
      ? `${(micros / 1000).toFixed(1)} ms`
      : `${Math.round(micros)} µs`;

/** What is known of the latency of a whole load, from the quickest to the slowest. */
export function latencyFigures(whole: LoadWhole): { name: string; micros: number }[] {
  const named = [
    { name: "min", micros: whole.minUs },
    { name: "median", micros: whole.p50Us },
    { name: "p95", micros: whole.p95Us },
    { name: "p99", micros: whole.p99Us },
    { name: "max", micros: whole.maxUs },
  ];
  return named.flatMap(({ name, micros }) => (micros === null ? [] : [{ name, micros }]));
}

/** Requests that were neither done nor had failed when the load was over. Events of a flow are no whole numbers. */
export const unfinished = ({ sent, completed, failed }: LoadWhole, { kind }: LoadTarget): number =>
  kind === "url" ? sent - completed - failed : 0;

/** `200 sent, 200 done in 10.0 s; min 2.1 ms, median 2.4 ms, p95 3 ms, ...`: a whole load in a line. */
export function wholeText(whole: LoadWhole, target: LoadTarget): string {
  const { sent, completed, failed, tookMs } = whole;
  const counts = [`${rateText(sent)} sent`, `${rateText(completed)} done`];
  if (failed > 0) counts.push(`${rateText(failed)} failed`);
  const left = unfinished(whole, target);
  if (left > 0) counts.push(`${rateText(left)} unfinished`);
  const times = latencyFigures(whole).map(({ name, micros }) => `${name} ${latencyText(micros)}`);
  return [`${counts.join(", ")} in ${(tookMs / 1000).toFixed(1)} s`, times.join(", ")]
    .filter((part) => part !== "")
    .join("; ");
}
