import { httpOf, replicasOf, type Binary, type Topology } from "@penstock/codegen/topology";
import { bundleRef } from "../../kernel/document/edits/bundles.js";
import { binaryRef } from "../../kernel/document/edits/binaries.js";
import { type Box, contains, boundsOf } from "./box.js";
import { hostTexts } from "../queries/hosts.js";
import {
  BUNDLE_LABEL,
  bundleLabelWidth,
  EMPTY_FRAME,
  FRAME_HEADER,
  FRAME_PADDING,
  MONO_CHAR,
} from "./nodeSizes.js";

/** A binary on the canvas: a frame around its bundles. Where it is follows from them and is written down nowhere. */
export interface BinaryFrame extends Box {
  ref: string;
  binary: Binary;
  hint: string;
  /** It has no bundle that is drawn: it stands below the drawing, for one to be dropped in. */
  empty: boolean;
  label: FrameLabel;
}

/** Where on its frame the label lies: on one of the borders, so far from the left end. */
export interface FrameLabel {
  border: "top" | "bottom";
  x: number;
}

/** From the left end of a border to the label on it, at least. */
const INSET = 14;
/** Between labels on one border. */
const GAP = 8;
/** Below the drawing, and between two frames there. */
const APART = 66;
/** Average advance of a capital letter with its spacing; icon, gaps and padding of the label. */
const CAPS_CHAR = 8.4;
const LABEL_REST = 46;

/**
 * `×2 · :7400`: in how many processes a binary runs, and where it listens, with its host where the drawing has several
 * (`hosts`); "" where neither is drawn.
 */
export function binaryHint(binary: Binary, hosts: ReadonlyMap<string, string>): string {
  const port = /:([1-9]\d*)$/.exec(binary.listen[0] ?? httpOf(binary)?.address ?? "")?.[1];
  const replicas = replicasOf(binary);
  const at = port ? `${hosts.get(binary.name) ?? ""}:${port}` : "";
  return [replicas > 1 ? `×${replicas}` : "", at].filter(Boolean).join(" · ");
}

/**
 * The frames of a drawing with several binaries, each around the bundles that its binary lists; `boxes` are those of
 * everything drawn. Frames overlap where their bundles lie among each other, and a bundle of two binaries is in both
 * frames. Labels lie where no node, no bundle's label and no other frame's label is, as far as there is such a place.
 */
export function binaryFrames(topology: Topology, boxes: ReadonlyMap<string, Box>): BinaryFrame[] {
  // One binary alone is nothing to tell apart.
  if (topology.binaries.length < 2) return [];
  const hosts = hostTexts(topology);
  const frames = topology.binaries.flatMap((binary): Omit<BinaryFrame, "label">[] => {
    const [inside] = boundsOf(binary.bundles.flatMap((name) => boxes.get(bundleRef(name)) ?? []));
    const hint = binaryHint(binary, hosts);
    return inside ? [{ ref: binaryRef(binary.name), binary, hint, empty: false, ...padded(inside) }] : [];
  });
  const [all] = boundsOf([...boxes.values(), ...frames]);
  let x = all?.x ?? 0;
  for (const binary of topology.binaries) {
    const ref = binaryRef(binary.name);
    if (frames.some((frame) => frame.ref === ref)) continue;
    const hint = binaryHint(binary, hosts);
    const width = Math.max(EMPTY_FRAME.width, labelWidth(binary, hint) + 2 * INSET);
    frames.push({
      ref,
      binary,
      hint,
      empty: true,
      x,
      y: all ? all.y + all.height + APART : 0,
      width,
      height: EMPTY_FRAME.height,
    });
    x += width + APART;
  }
  const labels = bundleLabels(topology, boxes);
  const taken = [...boxes].map(([ref, box]) => labels.get(ref) ?? box);
  return frames.map((frame) => {
    const size = { width: labelWidth(frame.binary, frame.hint), height: BUNDLE_LABEL };
    const label = labelOn(frame, size, taken);
    taken.push({ ...size, x: frame.x + label.x, y: borderOf(frame, label.border) - BUNDLE_LABEL / 2 });
    return { ...frame, label };
  });
}

const padded = ({ x, y, width, height }: Box): Box => ({
  x: x - FRAME_PADDING,
  y: y - FRAME_HEADER,
  width: width + 2 * FRAME_PADDING,
  height: height + FRAME_HEADER + FRAME_PADDING,
});

const labelWidth = (binary: Binary, hint: string): number =>
  LABEL_REST + binary.name.length * CAPS_CHAR + hint.length * MONO_CHAR;

/** `ads-server ×2 · :7400, logs`: what serves a bundle, in how many processes, and where it listens. */
export const servingText = (serving: readonly Binary[], hosts: ReadonlyMap<string, string>): string =>
  serving
    .map((binary) => {
      const hint = binaryHint(binary, hosts);
      return hint === "" ? binary.name : `${binary.name}${hint.startsWith("×") ? " " : " · "}${hint}`;
    })
    .join(", ");

/**
 * Where the labels of bundles lie on their upper borders, by their refs: at the left end, or beside the labels of bundles
 * before them that lie there, if there is room. As wide as they may get: who serves a bundle is not said on each.
 */
export function bundleLabels(topology: Topology, boxes: ReadonlyMap<string, Box>): Map<string, Box> {
  const placed = new Map<string, Box>();
  const hosts = hostTexts(topology);
  for (const { name } of topology.bundles) {
    const ref = bundleRef(name);
    const box = boxes.get(ref);
    if (!box) continue;
    const serving = servingText(
      topology.binaries.filter(({ bundles }) => bundles.includes(name)),
      hosts,
    );
    const end = box.x + box.width - INSET;
    const label = { x: box.x + INSET, y: box.y - BUNDLE_LABEL / 2, height: BUNDLE_LABEL };
    const x = freePlace({ ...label, width: bundleLabelWidth(name) }, end, [...placed.values()]) ?? label.x;
    const width = Math.min(bundleLabelWidth(name) + MONO_CHAR * serving.length, end - x);
    placed.set(ref, { ...label, x, width });
  }
  return placed;
}

const borderOf = (frame: Box, border: FrameLabel["border"]): number =>
  border === "top" ? frame.y : frame.y + frame.height;

/** The first free place on the upper border, from the left; else on the lower one; else the upper left corner. */
function labelOn(
  frame: Box,
  { width, height }: { width: number; height: number },
  taken: readonly Box[],
): FrameLabel {
  for (const border of ["top", "bottom"] as const) {
    const y = borderOf(frame, border) - height / 2;
    const label = { x: frame.x + INSET, y, width, height };
    const x = freePlace(label, frame.x + frame.width - INSET, taken);
    if (x !== undefined) return { border, x: x - frame.x };
  }
  return { border: "top", x: INSET };
}

/** How far to the right a label lies on nothing of what is taken; undefined: nowhere before `end`. */
function freePlace({ x, y, width, height }: Box, end: number, taken: readonly Box[]): number | undefined {
  const inWay = taken.filter((box) => box.y < y + height && y < box.y + box.height).sort((a, b) => a.x - b.x);
  let free = x;
  for (const box of inWay)
    if (box.x < free + width + GAP && free < box.x + box.width + GAP) free = box.x + box.width + GAP;
  return free + width <= end ? free : undefined;
}

/**
 * The binary that a bundle goes to when it is let go at a point; undefined: none, or one that has it already. Of frames
 * within one another the innermost counts; where one merely overlaps the bundle's own, it stays.
 *
 * @param own the binaries that serve the bundle
 */
export function binaryUnder(
  frames: readonly (Box & { name: string })[],
  point: { x: number; y: number },
  own: readonly string[],
): string | undefined {
  const under = frames
    .filter((frame) => contains(frame, point))
    .sort((a, b) => a.width * a.height - b.width * b.height);
  const [innermost] = under;
  if (!innermost || own.includes(innermost.name)) return undefined;
  const ownFrame = under.find(({ name }) => own.includes(name));
  return ownFrame && !isWithin(innermost, ownFrame) ? undefined : innermost.name;
}

export const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const isWithin = (inner: Box, outer: Box): boolean =>
  contains(outer, inner) && contains(outer, { x: inner.x + inner.width, y: inner.y + inner.height });
