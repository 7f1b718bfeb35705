import { useReactFlow, useStoreApi, type InternalNode } from "@xyflow/react";
import { useEffect, useRef, type PointerEvent } from "react";
import { documentStore } from "../../kernel/document/index.js";
import { madeOnce } from "../../kernel/document/madeOnce.js";
import { liveStore } from "../../kernel/live/liveStore.js";
import { lookOf } from "../../drawing/paint/lookOf.js";
import { stateOf, type State } from "../../drawing/paint/stateOf.js";
import { readThemeColors, type ColorName } from "../../kernel/ui/look/themeColors.js";
import { themeStore } from "../../kernel/ui/index.js";
import { type Box, boundsOf } from "../../drawing/geometry/box.js";
import { mapScale, shownOn } from "../../drawing/geometry/mapScale.js";
import type { CanvasNode } from "../../drawing/toCanvasNodes.js";

const SIZE = { width: 164, height: 92 };
const COLORS: Record<State, ColorName> = {
  bad: "bad",
  blocked: "blocked",
  warn: "warn",
  ok: "ok",
  stale: "text-3",
  none: "line-strong",
};
/** States change slowly enough for the eye; places are painted with each frame in which they move. */
const STATES_EVERY_MS = 500;
/** A node is at least so large on the map, px. */
const LEAST = 2;

/** The whole drawing in a corner, each node in the colour of its state; a click or a drag goes there. */
export function DrawingMap() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi<CanvasNode>();
  const flow = useReactFlow();
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    let frame = 0;
    let states = new Map<string, State>();
    // Of all nodes, as long as none has moved: zooming and panning move the view alone.
    const shapesOf = madeOnce((_nodes: readonly CanvasNode[]) =>
      shapes(store.getState().nodeLookup.values()),
    );
    let statesAt = Number.NEGATIVE_INFINITY;

    const paint = () => {
      frame = 0;
      const { nodes, nodeLookup, width, height, transform } = store.getState();
      const colors = readThemeColors(themeStore.getState().epoch);
      const now = performance.now();
      if (now - statesAt >= STATES_EVERY_MS) {
        statesAt = now;
        const scene = {
          topology: documentStore.getState().topology,
          bottlenecks: liveStore.getState().bottlenecks,
          colors,
          now,
        };
        states = new Map(
          [...nodeLookup.values()].map((node) => [node.id, stateOf(lookOf(scene, node.id), node.data.mark)]),
        );
      }
      const ratio = devicePixelRatio || 1;
      element.width = SIZE.width * ratio;
      element.height = SIZE.height * ratio;
      context.scale(ratio, ratio);
      const view = shownOn(width, height, transform);
      const { bounds, frames, bundles, others } = shapesOf(nodes);
      const scale = mapScale(bounds, view, SIZE);
      const fill = (box: Box, color: string) => {
        const at = scale.toMap(box);
        context.fillStyle = color;
        context.fillRect(at.x, at.y, Math.max(LEAST, at.width), Math.max(LEAST, at.height));
      };
      context.strokeStyle = colors["line-strong"];
      context.lineWidth = 1;
      for (const { box } of frames) {
        const at = scale.toMap(box);
        context.strokeRect(at.x, at.y, at.width, at.height);
      }
      for (const { box } of bundles) fill(box, colors["surface-3"]);
      for (const { id, box } of others) fill(box, colors[COLORS[states.get(id) ?? "none"]]);
      const seen = scale.toMap(view);
      context.strokeStyle = colors.accent;
      context.lineWidth = 1.5;
      context.strokeRect(seen.x, seen.y, seen.width, seen.height);
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    const statesChanged = () => {
      statesAt = Number.NEGATIVE_INFINITY;
      schedule();
    };
    const figuresCame = () => {
      if (performance.now() - statesAt >= STATES_EVERY_MS) schedule();
    };
    const stops = [
      store.subscribe(schedule),
      liveStore.subscribe(figuresCame),
      documentStore.subscribe(statesChanged),
      themeStore.subscribe(statesChanged),
    ];
    schedule();
    return () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
    };
  }, [store]);

  const goThere = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { nodeLookup, width, height, transform } = store.getState();
    const rect = event.currentTarget.getBoundingClientRect();
    const scale = mapScale([...nodeLookup.values()].map(boxOf), shownOn(width, height, transform), SIZE);
    const { x, y } = scale.toDrawing({ x: event.clientX - rect.left, y: event.clientY - rect.top });
    void flow.setCenter(x, y, { zoom: transform[2] });
  };
  return (
    <canvas
      ref={canvas}
      className="drawing-map"
      style={SIZE}
      role="img"
      aria-label="Map of the drawing, by state"
      onPointerDown={goThere}
      onPointerMove={goThere}
    />
  );
}

interface Shape {
  id: string;
  box: Box;
}

/** Where everything is, the frames of binaries and the bundles apart, which lie below. */
function shapes(nodes: Iterable<InternalNode<CanvasNode>>): {
  bounds: readonly Box[];
  frames: Shape[];
  bundles: Shape[];
  others: Shape[];
} {
  const frames: Shape[] = [];
  const bundles: Shape[] = [];
  const others: Shape[] = [];
  for (const node of nodes)
    (node.type === "frame" ? frames : node.type === "bundle" ? bundles : others).push({
      id: node.id,
      box: boxOf(node),
    });
  return {
    bounds: boundsOf([...frames, ...bundles, ...others].map(({ box }) => box)),
    frames,
    bundles,
    others,
  };
}

const boxOf = (node: InternalNode<CanvasNode>): Box => ({
  ...node.internals.positionAbsolute,
  width: node.measured.width ?? 0,
  height: node.measured.height ?? 0,
});
