import { useStoreApi, type Edge } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";
import { documentStore } from "../../kernel/document/index.js";
import { namingStore } from "../../drawing/screen/naming.js";
import { setSaid } from "../../drawing/screen/saidOnLines.js";
import { themeStore } from "../../kernel/ui/index.js";
import { appliedStore } from "./appliedChanges.js";
import { BottleneckCards } from "./BottleneckCards.js";
import { placeCards } from "./cardPlaces.js";
import "./live.css";
import { liveStore } from "../../kernel/live/liveStore.js";
import { LEGIBLE_ZOOM } from "../../drawing/paint/brush.js";
import { paintScene } from "../../drawing/paint/paintScene.js";
import { RunningDiffers } from "./RunningDiffers.js";
import { uncover } from "./uncover.js";
import { readThemeColors } from "../../kernel/ui/look/themeColors.js";

const FAR_EVERY_MS = 500;

/**
 * All live figures of the canvas on one picture above it. React never sees them: a frame is
 * painted when figures, viewport, boxes or theme have changed, at most once an animation frame,
 * in the same frame in which React Flow moves its own elements. Far out it paints the drawing itself, with
 * its edges.
 */
export function LiveOverlay({ farEdges }: { farEdges: readonly Edge[] }) {
  const far = useRef(farEdges);
  useLayoutEffect(() => {
    far.current = farEdges;
  }, [farEdges]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const flow = useStoreApi();
  // Before the browser paints: its first picture is one with figures.
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    let frame = 0;

    const paint = () => {
      frame = 0;
      const { width, height, transform, nodeLookup, edges } = flow.getState();
      if (width === 0 || height === 0) return;
      const ratio = devicePixelRatio || 1;
      const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (element.width !== pixelWidth || element.height !== pixelHeight) {
        element.width = pixelWidth;
        element.height = pixelHeight;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const { bottlenecks } = liveStore.getState();
      const colors = readThemeColors(themeStore.getState().epoch);
      const scene = {
        topology: documentStore.getState().topology,
        bottlenecks,
        colors,
        now: performance.now(),
      };
      const viewport = { width, height, transform };
      const said = paintScene(
        context,
        scene,
        viewport,
        nodeLookup.values(),
        edges,
        (id) => nodeLookup.get(id),
        far.current,
      );
      uncover(context, element, namingStore.getState().fault);
      setSaid(said, element);
      element.dataset["painted"] ??= "true";
      placeCards(viewport, [...bottlenecks, ...appliedStore.getState().applied], nodeLookup, said);
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    // Far away only the bars are left, and each new picture makes the browser go through every box
    // on the screen: twice a second is as lively as a bar of two pixels can be.
    let farAt = 0;
    const figuresCame = () => {
      const now = performance.now();
      if (flow.getState().transform[2] < LEGIBLE_ZOOM && now - farAt < FAR_EVERY_MS) return;
      farAt = now;
      schedule();
    };
    const stops = [
      flow.subscribe(schedule),
      liveStore.subscribe(figuresCame),
      appliedStore.subscribe(schedule),
      documentStore.subscribe(schedule),
      themeStore.subscribe(schedule),
      namingStore.subscribe(schedule),
    ];
    void document.fonts?.ready.then(schedule);
    paint();
    return () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
      setSaid([], undefined);
    };
  }, [flow]);
  return (
    <>
      <canvas ref={canvas} className="live-overlay" aria-hidden data-testid="live-overlay" />
      <BottleneckCards />
      <RunningDiffers />
    </>
  );
}
