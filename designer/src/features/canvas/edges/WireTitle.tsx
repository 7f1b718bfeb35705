import { useMemo } from "react";
import { formatBytes, formatMicros, words } from "../../../kernel/live/figures/format.js";
import { sliced, useSlice } from "../../../kernel/live/hooks.js";
import { trackOfFlow, trackOfService } from "../../../kernel/live/liveStore.js";

type From = { service: string; flow?: never } | { flow: string; service?: never };

/** What a line to another binary says where it is pointed at: all of what there is room on it for a part of. */
export function WireTitle({ service, flow, to }: From & { to: string }) {
  const text = useSlice(useMemo(() => sliced(() => readWire(service, flow, to)), [service, flow, to]));
  return text === null ? null : <title>{text}</title>;
}

function readWire(service: string | undefined, flow: string | undefined, to: string): string | null {
  const track = service === undefined ? trackOfFlow(flow ?? "") : trackOfService(service);
  const link = track?.links.to(to);
  if (!link || track?.lost) return null;
  const { transport, roundTripUs, roundTripP50Us, roundTripP99Us, sent, received, down } = link;
  if (down !== undefined) return down;
  const figures = [
    `round trip ${words(formatMicros(roundTripP50Us ?? roundTripUs))}`,
    ...(roundTripP99Us === null ? [] : [`p99 ${words(formatMicros(roundTripP99Us))}`]),
    `${words(formatBytes(sent))}/s sent`,
    `${words(formatBytes(received))}/s received`,
  ];
  return `All that goes to ${to}, over ${transport}: ${figures.join(", ")}`;
}
