import { useStoreApi, type Viewport } from "@xyflow/react";
import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { firstViewport } from "../../drawing/fit.js";
import type { CanvasNode } from "../../drawing/toCanvasNodes.js";

/**
 * Where the canvas begins, known before its first node is drawn: a fit afterwards would have drawn the
 * nodes of another place in vain, and in full where they are far out.
 */
export function useFirstViewport(nodes: readonly CanvasNode[]): {
  frame: RefObject<HTMLElement | null>;
  viewport: Viewport | undefined;
} {
  const frame = useRef<HTMLElement>(null);
  const store = useStoreApi();
  const [viewport, setViewport] = useState<Viewport>();
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
      setViewport(begin);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [store]);
  return { frame, viewport };
}
