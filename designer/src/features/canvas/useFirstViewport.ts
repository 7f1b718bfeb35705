import { useStoreApi, type Viewport } from "@xyflow/react";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { firstViewport } from "../../drawing/screen/fit.js";
import { LEGIBLE_ZOOM } from "../../drawing/paint/brush.js";
import type { CanvasNode } from "../../drawing/toCanvasNodes.js";

/** From so many nodes on the elements of a drawing that is painted come after its first picture. */
const MANY = 60;

/**
 * Where the canvas begins, known before its first node is drawn: a fit afterwards would have drawn the
 * nodes of another place in vain, and in full where they are far out.
 */
export function useFirstViewport(nodes: readonly CanvasNode[]): {
  frame: RefObject<HTMLElement | null>;
  viewport: Viewport | undefined;
  /** The first picture is painted alone: the elements by which its nodes are pointed at follow at once. */
  paintedAlone: boolean;
} {
  const frame = useRef<HTMLElement>(null);
  const store = useStoreApi();
  const [viewport, setViewport] = useState<Viewport>();
  const [paintedAlone, setPaintedAlone] = useState(false);
  const first = useRef(nodes);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    // Asked after the panels around the canvas have found their sizes, and before the first picture.
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      // Panels that have none yet, or a window too low for them: nothing could be seen, nor fitted.
      if (width === 0 || height === 0) return;
      observer.disconnect();
      const begin = firstViewport(first.current, { width, height });
      store.setState({ width, height, transform: [begin.x, begin.y, begin.zoom] });
      const painted = begin.zoom < LEGIBLE_ZOOM && first.current.length > MANY;
      // What is painted is found there; with React Flow on the page it would find them by itself.
      if (painted) store.getState().setNodes([...first.current]);
      // Within the frame that is being made, which would else show everything but the drawing.
      flushSync(() => {
        setPaintedAlone(painted);
        setViewport(begin);
      });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [store]);
  useEffect(() => {
    if (!paintedAlone) return undefined;
    // Asked for within the frame that shows the picture: a frame later it is on the screen.
    let asked = requestAnimationFrame(() => {
      asked = requestAnimationFrame(() => setPaintedAlone(false));
    });
    return () => cancelAnimationFrame(asked);
  }, [paintedAlone]);
  return { frame, viewport, paintedAlone };
}
