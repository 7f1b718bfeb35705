import {
  formatBytes,
  formatMicros,
  formatRate,
  words,
  type Figure,
} from "../../kernel/live/figures/format.js";
import { JOIN_WIDTH } from "../geometry/nodeMeasures.js";
import { fillPressure } from "../../kernel/live/bottleneck/pressure.js";
import { paintGauge, type Brush } from "./brush.js";
import { traceEdge, type Point, type Port } from "./edgeGeometry.js";

/** Where something stands on which edge. */
interface OnEdge extends Point {
  edge: string;
}

/** What stands on an edge. */
export interface EdgeLook {
  /** Events or calls a second; undefined where nothing is known of it. */
  rate: number | undefined;
  /** Every implementation is asked. */
  each: boolean;
  stale: boolean;
  tone: "text-2" | "warn" | "bad";
}

/** The way of an edge that leaves its binary. */
export interface WireLook {
  /** The running binary from which it goes; "" while none runs. */
  from: string;
  /** Where to. */
  binary: string;
  transport: string;
  roundTripUs: number | null;
  /** There and back, a second; NaN while unknown. */
  bytes: number;
  /** Why nobody there is reached. */
  down: string | undefined;
  /** Much of what goes there is sent again. */
  degraded: boolean;
}

/** A reason longer than this is read in full where the line is pointed at. */
const REASON_LETTERS = 26;

/** The end of the chain of reasons: `far cannot be reached: tcp://127.0.0.1:1: Connection refused`. */
function shortReason(down: string): string {
  const last = down.split(": ").slice(1).at(-1)?.split(", ")[0] ?? "";
  return last.length > REASON_LETTERS ? `${last.slice(0, REASON_LETTERS - 1)}…` : last;
}

/** As wide whatever it is, `999 ms` or `84 µs`: what stands in the middle of a line would move with each digit. */
const still = (figure: Figure): string => words(figure).padStart(6);

/** What is said of a way, and which of its figures are in it. */
interface WireWords {
  text: string;
  figures: readonly (keyof Pick<WireLook, "roundTripUs" | "bytes">)[];
}

/** `unix 84 µs · 42 kB/s`, `udp 2.1 ms degraded`, or who is down and why; the shorter, the less room there is. */
function wireWords({ binary, transport, roundTripUs, bytes, down, degraded }: WireLook): WireWords[] {
  const bare = (text: string): WireWords => ({ text, figures: [] });
  if (down !== undefined) {
    const reason = shortReason(down);
    return [...(reason === "" ? [] : [`${binary} down: ${reason}`]), `${binary} down`, "down"].map(bare);
  }
  const way = [transport, roundTripUs !== null && still(formatMicros(roundTripUs)), degraded && "degraded"]
    .filter((word) => word !== false)
    .join(" ");
  const all: WireWords[] = Number.isNaN(bytes)
    ? []
    : [{ text: `${way} · ${still(formatBytes(bytes))}/s`, figures: ["roundTripUs", "bytes"] }];
  return [...all, { text: way, figures: ["roundTripUs"] }, bare(degraded ? "degraded" : transport)];
}

/** Around what is said on an edge. */
const BESIDE = 5;
/** From one line of figures on an edge to the next. */
export const EDGE_LINE = 18;

/** What is known of an edge: how much goes there. */
export function paintEdgeFigure(brush: Brush, at: OnEdge, { rate, each, stale, tone }: EdgeLook): void {
  const known = rate === undefined ? undefined : formatRate(rate);
  const text = [each && known ? "each" : undefined, known && known.digits + known.unit]
    .filter((part) => part !== undefined)
    .join(" · ");
  paintPatch(brush, at, text, stale ? "text-3" : tone);
}

/**
 * What is known of the way to another binary, in as many words as there is room for. What goes from one binary to another one
 * goes over the same links, whatever the line: each of their figures stands on the first line that has room for it, and the
 * others say what carries it.
 */
export function paintWire(brush: Brush, at: OnEdge, wire: WireLook, stale: boolean, room: number): void {
  const fits = ({ text }: WireWords): boolean => text.length * brush.column + 2 * BESIDE <= room;
  const of = (figure: string): string => `${wire.from}>${wire.binary} ${figure}`;
  const said = wireWords({
    ...wire,
    roundTripUs: brush.told.has(of("roundTripUs")) ? null : wire.roundTripUs,
    bytes: brush.told.has(of("bytes")) ? Number.NaN : wire.bytes,
  });
  const words = said.find(fits) ?? said.at(-1);
  if (words === undefined) return;
  for (const figure of words.figures) brush.told.add(of(figure));
  paintPatch(brush, at, words.text, stale ? "text-3" : toneOf(wire));
}

/** In which colour an edge is told of, by its way. */
export const toneOf = (wire: WireLook | undefined): EdgeLook["tone"] =>
  wire?.down !== undefined ? "bad" : wire?.degraded ? "warn" : "text-2";

/** As wide at least counts what is said, so that nothing beside it moves with its digits. */
const LEAST_SAID = 76;

/** On a patch of the canvas's colour, so that the line does not run through it. */
function paintPatch(
  { context, colors, column, said }: Brush,
  at: OnEdge,
  text: string,
  tone: EdgeLook["tone"] | "text-3",
): void {
  if (text === "") return;
  const width = text.length * column + 2 * BESIDE;
  context.fillStyle = colors.canvas;
  context.beginPath();
  context.roundRect(at.x - width / 2, at.y - EDGE_LINE / 2, width, EDGE_LINE, 5);
  context.fill();
  context.fillStyle = colors[tone];
  context.fillText(text, at.x - width / 2 + BESIDE, at.y);
  const counted = Math.max(width, LEAST_SAID);
  said.push({
    edge: at.edge,
    x: at.x - counted / 2,
    y: at.y - EDGE_LINE / 2,
    width: counted,
    height: EDGE_LINE,
  });
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
  context.fillStyle = look.stale ? colors["text-3"] : pressure === "bad" ? colors.bad : colors["text-2"];
  context.fillText(depth, right, at.y);
  context.textAlign = "left";
  const from = left + brush.column * Math.max(3, threads.length) + 2;
  const to = right - brush.column * 4 - 3;
  paintGauge(brush, from, at.y, to - from, shown, color);
}
