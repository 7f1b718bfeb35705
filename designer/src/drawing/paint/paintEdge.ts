import { formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";
import { JOIN_WIDTH } from "../geometry/nodeMeasures.js";
import { fillPressure } from "../../kernel/live/bottleneck/pressure.js";
import { paintGauge, type Brush } from "./brush.js";
import { traceEdge, type Point, type Port } from "./edgeGeometry.js";

/** What stands on an edge. */
export interface EdgeLook {
  /** Events or calls a second; undefined where nothing is known of it. */
  rate: number | undefined;
  /** Every implementation is asked. */
  each: boolean;
  stale: boolean;
  /** It leaves its binary. */
  wire: WireLook | undefined;
}
export interface WireLook {
  /** Where to. */
  binary: string;
  transport: string;
  roundTripUs: number | null;
  /** Nobody there is reached. */
  down: boolean;
  /** Much of what goes there is sent again. */
  degraded: boolean;
  brief: boolean;
}

/** `unix 84 µs`, `udp 2.1 ms degraded`, or who is down; one word where there is little room. */
function wireWords({ binary, transport, roundTripUs, down, degraded, brief }: WireLook): string {
  if (down) return brief ? "down" : `${binary} down`;
  if (brief) return degraded ? "degraded" : transport;
  return [transport, roundTripUs !== null && words(formatMicros(roundTripUs)), degraded && "degraded"]
    .filter((word) => word !== false)
    .join(" ");
}

/** What is known of an edge, on a patch of the canvas's colour so that the line does not run through it. */
export function paintEdgeFigure(brush: Brush, at: Point, look: EdgeLook): void {
  const { context, colors, column } = brush;
  const { rate, each, stale, wire } = look;
  const known = rate === undefined ? undefined : formatRate(rate);
  const text = [
    wire && wireWords(wire),
    each && known ? "each" : undefined,
    known && known.digits + known.unit,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
  if (text === "") return;
  const down = wire?.down === true;
  const degraded = wire?.degraded === true;
  const width = text.length * column + 10;
  context.fillStyle = colors.canvas;
  context.beginPath();
  context.roundRect(at.x - width / 2, at.y - 9, width, 18, 5);
  context.fill();
  context.fillStyle = stale
    ? colors["text-3"]
    : down
      ? colors.bad
      : degraded
        ? colors.warn
        : colors["text-2"];
  context.fillText(text, at.x - width / 2 + 5, at.y);
}

/** Over a line that leads to a binary which nobody reaches. */
export function paintBrokenWire(
  { context, colors }: Brush,
  type: string | undefined,
  source: Port,
  target: Port,
): void {
  context.strokeStyle = colors.bad;
  context.lineWidth = 2;
  context.beginPath();
  traceEdge(context, type, source, target);
  context.stroke();
}

export interface JoinLook {
  busy: number;
  threads: number;
  queued: number;
  queue: number;
  stale: boolean;
}

/** Inside the pill that the canvas draws: threads (those busy of all), how full the queue is, how many wait. */
export function paintJoin(brush: Brush, at: Point, width: number, look: JoinLook): void {
  const { context, colors } = brush;
  const left = at.x - width / 2 + 28;
  const right = at.x + width / 2 - 9;
  const fill = look.queue > 0 ? look.queued / look.queue : 0;
  const pressure = fillPressure(look.queued, look.queue);
  const color = look.stale ? colors["text-3"] : colors[pressure || "ok"];
  // A queue that holds anything shows at least a sliver.
  const shown = look.queued > 0 ? Math.max(fill, 0.06) : 0;
  context.fillStyle = look.stale ? colors["text-3"] : colors["text-1"];
  const threads = look.stale ? String(look.threads) : `${look.busy}/${look.threads}`;
  if (width < JOIN_WIDTH) {
    context.textAlign = "center";
    context.fillText(threads, at.x, at.y - 3);
    context.textAlign = "left";
    paintGauge(brush, at.x - width / 2 + 9, at.y + 8, width - 18, shown, color);
    return;
  }
  context.fillText(threads, left, at.y);
  const depth = look.queued > 9999 ? `${Math.round(look.queued / 1000)}k` : String(look.queued);
  context.textAlign = "right";
  context.fillStyle = pressure === "bad" ? colors.bad : colors["text-2"];
  context.fillText(depth, right, at.y);
  context.textAlign = "left";
  const from = left + brush.column * Math.max(3, threads.length) + 2;
  const to = right - brush.column * 4 - 3;
  paintGauge(brush, from, at.y, to - from, shown, color);
}
