import { isDegraded } from "@penstock/codegen/contract";
import { parseNodeRef } from "@penstock/codegen/topology";
import type { Edge, InternalNode } from "@xyflow/react";
import type { BinaryTrack } from "../../kernel/live/track/binaryTrack.js";
import { staleMs, trackOfFlow, trackOfService } from "../../kernel/live/liveStore.js";
import { holderLabel } from "../geometry/holderLabel.js";
import type { Said } from "../screen/saidOnLines.js";
import { JOIN_HEIGHT, joinWidth } from "../geometry/nodeMeasures.js";
import { FIGURES_FONT, LEGIBLE_ZOOM, type Brush } from "./brush.js";
import { middleOf, portOf, roomBetween, seenOn, type Point } from "./edgeGeometry.js";
import type { Away } from "../toCanvasEdges.js";
import { lookOf, type Scene } from "./lookOf.js";
import {
  EDGE_LINE,
  paintBrokenWire,
  paintEdgeFigure,
  paintJoin,
  paintWire,
  toneOf,
  type WireLook,
} from "./paintEdge.js";
import {
  farBundleNames,
  farLabels,
  keptInView,
  type FarBundle,
  type FarLabel,
  type FarNode,
} from "./farLabels.js";
import {
  BESIDE_ADVANCE,
  besideName,
  bundleNameWidth,
  paintBeside,
  paintFarBundleName,
  paintFarEdges,
  paintFarFrame,
  paintFarNode,
  shortened,
} from "./paintFar.js";
import { paintNode, type Box } from "./paintNode.js";
import { paintVirtualStages } from "./paintVirtualStages.js";

export interface Viewport {
  width: number;
  height: number;
  transform: readonly [x: number, y: number, zoom: number];
}

/** Room for "12.3k/s" between two boxes. */
const SLOT_FIGURE_GAP = 58;
/** Of the gap between two boxes what is left free for their ports and the arrow. */
const WIRE_WORDS_MARGIN = 8;

/**
 * As many letters as what is said on a call may have, with what is around it, `each · 12.3k/s` and
 * `unix  84 µs ·  42 kB/s`: it stays where it is while they change.
 */
const [RATE_LETTERS, WIRE_LETTERS] = [16, 24];

let column = 0;
let columnFont = "";
function columnWidth(context: CanvasRenderingContext2D): number {
  // The web font may arrive after the first frame: measured anew until it is there.
  const ready = document.fonts?.check(FIGURES_FONT) ? "web" : "fallback";
  if (column === 0 || columnFont !== ready) {
    column = context.measureText("0000000000").width / 10;
    columnFont = ready;
  }
  return column;
}

const boxOf = (node: InternalNode): Box => ({
  x: node.internals.positionAbsolute.x,
  y: node.internals.positionAbsolute.y,
  width: node.measured.width ?? node.width ?? node.initialWidth ?? 0,
  height: node.measured.height ?? node.height ?? node.initialHeight ?? 0,
});

/**
 * Paints every figure in view; the context is scaled to CSS pixels. Too far out for figures it paints the
 * nodes themselves, and `farEdges`. Returns where something is said on lines, in pixels of the view.
 */
export function paintScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  viewport: Viewport,
  nodes: Iterable<InternalNode>,
  edges: readonly Edge[],
  nodeOf: (id: string) => InternalNode | undefined,
  farEdges: readonly Edge[] = [],
): Said[] {
  const [tx, ty, zoom] = viewport.transform;
  context.clearRect(0, 0, viewport.width, viewport.height);
  context.save();
  context.translate(tx, ty);
  context.scale(zoom, zoom);
  context.font = FIGURES_FONT;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const brush: Brush = {
    context,
    colors: scene.colors,
    zoom,
    legible: zoom >= LEGIBLE_ZOOM,
    column: columnWidth(context),
    said: [],
    told: new Set(),
  };
  const view: Box = {
    x: -tx / zoom,
    y: -ty / zoom,
    width: viewport.width / zoom,
    height: viewport.height / zoom,
  };

  const listed = [...nodes];
  if (brush.legible) {
    const inView = listed.flatMap((node) => {
      const box = boxOf(node);
      if (node.hidden || !overlaps(view, box, 0)) return [];
      return [isHolder(node) ? holderLabel(node, box, 1) : box];
    });
    for (const edge of edges) paintEdge(brush, scene, view, edge, nodeOf, inView);
    paintVirtualStages(brush, scene, edges, (id) => {
      const node = nodeOf(id);
      return node && !node.hidden ? boxOf(node) : undefined;
    });
  } else if (farEdges.length > 0) paintFarEdges(brush, farEdges, nodeOf);

  const shown: InternalNode[] = [];
  const far: FarNode[] = [];
  const farIds: string[] = [];
  const bundles: FarBundle[] = [];
  for (const node of listed) {
    if (node.hidden) continue;
    const box = boxOf(node);
    const holds = isHolder(node);
    if (!brush.legible && node.type === "frame") paintFarFrame(brush, box, node);
    // Also of what is out of view: else names would change their places as the drawing is moved.
    if (!brush.legible && holds) bundles.push(farBundle(brush, box, node));
    else if (!brush.legible) {
      far.push(farNode(zoom, scene, box, node));
      farIds.push(node.id);
    }
    if (!holds && overlaps(view, box, 8)) shown.push(node);
  }
  const names = brush.legible ? undefined : namesOf(far, bundles);
  const beside = new Set(names?.labels.map(({ node }) => farIds[node]));
  shown.sort((a, b) => a.internals.z - b.internals.z);
  for (const node of shown) {
    const box = boxOf(node);
    if (!brush.legible) {
      paintFarNode(brush, box, node, lookOf(scene, node.id), beside.has(node.id));
      continue;
    }
    // Whatever lies under this box is hidden by it, so its figures go too.
    context.clearRect(box.x, box.y, box.width, box.height);
    const look = lookOf(scene, node.id);
    if (look) paintNode(brush, box, look);
  }
  keptInView(names?.bundles ?? [], { x: -tx, width: viewport.width }).forEach((place, at) => {
    if (place) paintFarBundleName(brush, bundles[at]!.name, place);
  });
  for (const label of names?.labels ?? []) paintBeside(brush, label);
  context.restore();
  return brush.said.map(({ edge, ...box }) => {
    const { x, y, width, height } = onScreen(zoom, box);
    return { edge, x: x + tx, y: y + ty, width, height };
  });
}

/** A border around others, which hides nothing. */
const isHolder = ({ type }: InternalNode): boolean => type === "bundle" || type === "frame";

/** In pixels of the screen, apart from where the drawing lies: so moving it changes no place of a name. */
const onScreen = (zoom: number, box: Box): Box => ({
  x: box.x * zoom,
  y: box.y * zoom,
  width: box.width * zoom,
  height: box.height * zoom,
});

function farNode(zoom: number, scene: Scene, box: Box, node: InternalNode): FarNode {
  const beside = besideName(zoom, box, node, lookOf(scene, node.id));
  return { ...onScreen(zoom, box), ...(beside ?? { name: "", room: 0, first: false }) };
}

function farBundle({ context, zoom }: Brush, box: Box, node: InternalNode): FarBundle {
  const { name } = node.data as { name: string };
  return { ...onScreen(zoom, box), name, nameWidth: bundleNameWidth(context, name) };
}

interface FarNames {
  bundles: (Box | undefined)[];
  labels: FarLabel[];
}
let placed: FarNames & { of: readonly (FarNode | FarBundle)[] } = { of: [], bundles: [], labels: [] };
const isSame = (a: FarNode | FarBundle, b: FarNode | FarBundle | undefined): boolean =>
  b !== undefined &&
  a.x === b.x &&
  a.y === b.y &&
  a.name === b.name &&
  a.width === b.width &&
  a.height === b.height &&
  ("first" in a ? "first" in b && a.first === b.first : "nameWidth" in b && a.nameWidth === b.nameWidth);

/** Found again only when something is elsewhere or called otherwise. */
function namesOf(far: readonly FarNode[], bundles: readonly FarBundle[]): FarNames {
  const of = [...bundles, ...far];
  if (of.length === placed.of.length && of.every((one, at) => isSame(one, placed.of[at]))) return placed;
  const areas = farBundleNames(bundles, far);
  const labels = far.some(({ name }) => name !== "")
    ? farLabels(
        far,
        areas.filter((area) => area !== undefined),
        BESIDE_ADVANCE,
        shortened,
      )
    : [];
  placed = { of, bundles: areas, labels };
  return placed;
}

const around = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

/** Edges with figures on them. */
const PAINTED: ReadonlySet<string> = new Set(["call", "flow", "catch"]);

function paintEdge(
  brush: Brush,
  scene: Scene,
  view: Box,
  edge: Edge,
  nodeOf: (id: string) => InternalNode | undefined,
  boxes: readonly Box[],
): void {
  if (edge.hidden || !PAINTED.has(edge.type ?? "")) return;
  const from = nodeOf(edge.source);
  const to = nodeOf(edge.target);
  if (!from || !to) return;
  const source = portOf(from, "source", edge.sourceHandle);
  const target = portOf(to, "target", edge.targetHandle);
  if (!source || !target) return;
  const middle = middleOf(source, target);
  const place = edge.type === "call" ? around(source, target) : { ...middle, width: 0, height: 0 };
  if (!overlaps(view, place, 70)) return;
  const away = edge.data?.["away"] as Away | undefined;
  const on = (at: Point) => ({ edge: edge.id, ...at });
  if (edge.type === "call") {
    const key = edge.id.slice("call:".length);
    const track = trackOfService(key.slice(0, key.indexOf(">")));
    const wire = wireOf(track, away);
    const stale = track !== undefined && staleMs(track, scene.now) > 0;
    if (wire?.down !== undefined && !stale) paintBrokenWire(brush, edge.type, source, target);
    const each = edge.data?.["each"] === true;
    const rate = track?.calls.get(key)?.rate;
    if (rate === undefined && !wire) return;
    // Two lines of figures have a point of the edge between them.
    const apart = wire && rate !== undefined ? EDGE_LINE / 2 : 0;
    const seen = (letters: number) => {
      const width = letters * brush.column;
      const at = seenOn(source, target, { width, height: EDGE_LINE + 2 * apart }, boxes);
      return at && { at, room: width };
    };
    const { at, room } = (wire && seen(WIRE_LETTERS)) ??
      seen(RATE_LETTERS) ?? { at: middle, room: Number.POSITIVE_INFINITY };
    paintEdgeFigure(brush, on({ x: at.x, y: at.y - apart }), { rate, each, stale, tone: toneOf(wire) });
    if (wire) paintWire(brush, on({ x: at.x, y: at.y + apart }), wire, stale, room);
    return;
  }
  const data = edge.data as
    { flow?: string; stage?: string; slot?: boolean; join?: { threads: string } } | undefined;
  const flow = data?.flow ?? parseNodeRef(edge.target)?.path[0] ?? "";
  const track = trackOfFlow(flow);
  const stale = track !== undefined && staleMs(track, scene.now) > 0;
  const room = roomBetween(source, target);
  const wire = wireOf(track, away);
  if (wire?.down !== undefined && !stale) paintBrokenWire(brush, edge.type, source, target);
  if (!data?.slot) return;
  const stage = track?.flows.get(flow)?.figures.stages.find((one) => one.id === data.stage);
  const at = middle;
  // Under the slot, where the gap between the boxes has room for it.
  if (room >= SLOT_FIGURE_GAP) {
    const below = { x: at.x, y: at.y + (data.join ? JOIN_HEIGHT / 2 + 11 : 21) };
    paintEdgeFigure(brush, on(below), { rate: stage?.rate, each: false, stale, tone: "text-2" });
    const under = stage ? { x: below.x, y: below.y + EDGE_LINE } : below;
    if (wire) paintWire(brush, on(under), wire, stale, room - WIRE_WORDS_MARGIN);
  }
  if (!data.join) return;
  const pool = stage?.pool ? track?.pools.get(stage.pool)?.figures : undefined;
  if (track && pool)
    paintJoin(brush, at, joinWidth(room), {
      busy: pool.busy,
      threads: pool.count,
      queued: pool.queued,
      queue: pool.queue,
      stale,
    });
  else
    paintJoin(brush, at, joinWidth(room), {
      busy: 0,
      threads: Number(data.join.threads) || 0,
      queued: 0,
      queue: 0,
      stale: true,
    });
}

/** What is known of the way to another binary; undefined: it is none. */
function wireOf(track: BinaryTrack | undefined, away: Away | undefined): WireLook | undefined {
  if (away === undefined) return undefined;
  const link = track?.links.to(away.binary);
  const { transport = away.transport, down } = link ?? {};
  const roundTripUs = link?.roundTripP50Us ?? link?.roundTripUs ?? null;
  const bytes = link ? link.sent + link.received : Number.NaN;
  const degraded = isDegraded(link?.resentPercent);
  return { from: track?.binary ?? "", binary: away.binary, transport, roundTripUs, bytes, down, degraded };
}

const overlaps = (view: Box, box: Box, margin: number): boolean =>
  box.x + box.width + margin >= view.x &&
  box.y + box.height + margin >= view.y &&
  box.x - margin <= view.x + view.width &&
  box.y - margin <= view.y + view.height;
