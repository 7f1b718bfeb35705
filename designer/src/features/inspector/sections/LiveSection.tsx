import { formatMicros, formatRate, words } from "../../../kernel/live/figures/format.js";
import { useServiceFigures, useServiceStale } from "../../../kernel/live/hooks.js";
import type { LatencyFigures } from "../../../kernel/live/figures/figures.js";
import { Section } from "../../../kernel/ui/index.js";

const rate = (value: number): string => words(formatRate(value));
const times = ({ p50, p99 }: LatencyFigures): string =>
  p50 === null ? "–" : `p50 ${words(formatMicros(p50))}, p99 ${words(formatMicros(p99))}`;

/** How the requests of a running service end, and how long they wait and run. */
export function LiveSection({ service }: { service: string }) {
  const figures = useServiceFigures(service);
  const stale = useServiceStale(service);
  // A binary that was built before it told them has nothing to say here.
  if (!figures || Number.isNaN(figures.expired)) return null;
  const rows: readonly [label: string, figure: string, title: string][] = [
    ["Served", rate(figures.rate), "Requests that ended with what the handler gave or threw"],
    ["Errors", rate(figures.errorRate), "Those that ended with an error, expired or were refused"],
    ["Expired", rate(figures.expired), "Their deadline passed before that, in the queue or while they ran"],
    ["Skipped", rate(figures.skipped), "Their caller had given them up"],
    ["Refused", rate(figures.refused), "By a full queue"],
    ["Waited", times(figures.wait), "For their turn and in the queue"],
    ["Ran", times(figures.run), "From the start of the handler to its end, its awaiting included"],
  ];
  return (
    <Section title={stale ? "Last known" : "Live"}>
      <dl className="live-figures" data-stale={stale}>
        {rows.map(([label, figure, title]) => (
          <div key={label} title={title}>
            <dt>{label}</dt>
            <dd className="mono">{figure}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
