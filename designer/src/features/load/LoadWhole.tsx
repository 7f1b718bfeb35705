import {
  chiefFailures,
  latencyFigures,
  type LoadReport,
  type LoadWhole as Whole,
  unfinished,
} from "@penstock/codegen/contract";
import { formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";

const count = (events: number): string => Math.round(events).toLocaleString("en-US");

/** The figures of a load as a whole: what was sent, what became of it, of what it failed most, and how long it took. */
export function LoadWhole({
  whole,
  target,
  failures,
}: { whole: Whole } & Pick<LoadReport, "target" | "failures">) {
  const { sent, completed, failed, tookMs } = whole;
  const left = unfinished(whole, target);
  const reasons = chiefFailures({ failures }).map(({ reason }) => reason);
  const figures = [
    { name: "sent", text: count(sent) },
    { name: "done", text: count(completed) },
    ...(failed > 0 ? [{ name: "failed", text: [count(failed), ...reasons].join(" · ") }] : []),
    ...(left > 0 ? [{ name: "unfinished", text: count(left) }] : []),
    ...(tookMs > 0 ? [{ name: "done a second", text: words(formatRate((completed / tookMs) * 1000)) }] : []),
    ...latencyFigures(whole).map(({ name, micros }) => ({ name, text: words(formatMicros(micros)) })),
  ];
  return (
    <dl className="load-whole" aria-label="The whole load">
      {figures.map(({ name, text }) => (
        <div key={name} data-figure={name}>
          <dt>{name}</dt>
          <dd className="mono">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
