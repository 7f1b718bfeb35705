import { isDegraded, percentWords } from "@penstock/codegen/contract";
import type { Binary } from "@penstock/codegen/topology";
import { awayFrom } from "../../../drawing/toCanvasEdges.js";
import { useDocument } from "../../../kernel/document/index.js";
import type { LinkFigures } from "../../../kernel/live/figures/figures.js";
import { formatBytes, formatMicros, words } from "../../../kernel/live/figures/format.js";
import { useLinkFigures, useStale } from "../../../kernel/live/hooks.js";
import { Section } from "../../../kernel/ui/index.js";

const CARRIERS: Readonly<Record<string, string>> = {
  shm: "Memory that both share, on this host",
  unix: "A socket of this host, as its processes share no memory",
  tls: "The address at which it listens, secured by the keys of both",
  "udp+keys": "The address at which it listens, secured by the keys of both",
};

const sentAgain = (percent: number): [string, string, string] => [
  "Sent again",
  percentWords(percent),
  "Packets of the last seconds that went again, as they were lost or seemed to be",
];

const roundTrip = ({ roundTripUs, roundTripP50Us, roundTripP99Us }: LinkFigures): [string, string, string] =>
  roundTripP99Us === null
    ? ["Round trip", words(formatMicros(roundTripUs)), "Of the last ping"]
    : [
        "Round trip p50",
        `${words(formatMicros(roundTripP50Us))}, p99 ${words(formatMicros(roundTripP99Us))}`,
        `p50 and p99 of the last 128 pings; the last one took ${words(formatMicros(roundTripUs))}`,
      ];

/** Of a line that leaves its binary: where it leads, and how far that is while it runs. */
export function LinkSection({ from, service }: { from: readonly Binary[]; service: string }) {
  const topology = useDocument((state) => state.topology);
  const to = awayFrom(topology, from, service);
  const figures = useLinkFigures(from[0]?.name ?? "", to?.binary ?? "");
  const stale = useStale(from[0]?.name ?? "");
  if (to === undefined) return null;
  const transport = figures?.transport ?? to.transport;
  const rows: readonly [label: string, figure: string, title: string][] = [
    ["Leads to", to.binary, "The binary that answers"],
    ["Over", transport, CARRIERS[transport] ?? "The address at which it listens"],
  ];
  const live: typeof rows = figures
    ? [
        roundTrip(figures),
        ["Sent", `${words(formatBytes(figures.sent))}/s`, `By all calls to ${to.binary}`],
        ["Received", `${words(formatBytes(figures.received))}/s`, `By all calls to ${to.binary}`],
        ["Waiting", String(figures.waiting), `Calls that no process of ${to.binary} takes yet`],
        [
          "Connections",
          String(figures.open),
          "One for each thread that calls and each process there, and those that end",
        ],
        ["Broken", String(figures.broken), "Connections that neither end meant to end, since the start"],
        ...(figures.resentPercent === null ? [] : [sentAgain(figures.resentPercent)]),
      ]
    : [];
  return (
    <Section title="Link">
      {figures?.down === undefined ? null : (
        <p className="link-down" role="status">
          {figures.down}
        </p>
      )}
      {figures?.down === undefined && isDegraded(figures?.resentPercent) ? (
        <p className="link-degraded" role="status">
          Degraded: {percentWords(figures.resentPercent)} of the packets to {to.binary} are sent again, so
          that calls are late
        </p>
      ) : null}
      <dl className="live-figures" data-stale={stale}>
        {[...rows, ...live].map(([label, figure, title]) => (
          <div key={label} title={title}>
            <dt>{label}</dt>
            <dd className="mono">{figure}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
