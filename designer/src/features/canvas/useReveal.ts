import { useReactFlow } from "@xyflow/react";
import { useEffect } from "react";
import { useWorkbench } from "../../kernel/document/index.js";

/** Brings the thing somebody jumped to into view; leaves the zoom alone unless it is far out. */
export function useReveal(): void {
  const flow = useReactFlow();
  const revealed = useWorkbench((state) => state.revealed);
  const count = useWorkbench((state) => state.revealCount);
  useEffect(() => {
    if (revealed === null || count === 0) return;
    const node = flow.getInternalNode(revealed);
    if (!node) return;
    const { x, y } = node.internals.positionAbsolute;
    const zoom = Math.max(flow.getZoom(), 0.6);
    void flow.setCenter(x + (node.measured.width ?? 0) / 2, y + (node.measured.height ?? 0) / 2, {
      zoom,
      duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 140,
    });
  }, [flow, revealed, count]);
}
