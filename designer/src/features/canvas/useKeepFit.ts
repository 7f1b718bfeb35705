import { useReactFlow, useStore as useFlowStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { fit, stillFits } from "../../drawing/screen/fit.js";
import { documentStore } from "../../kernel/document/index.js";
import { keptInView } from "./keptInView.js";

/**
 * Fits again when the canvas changes its size (dock, code beside it, window), unless somebody moved: then what is
 * selected stays in view.
 */
export function useKeepFit(): void {
  const flow = useReactFlow();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const before = useRef({ width, height });
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const seen = before.current;
    before.current = { width, height };
    const frame = requestAnimationFrame(() => {
      if (stillFits()) return void fit();
      const [selected, ...others] = documentStore.getState().selection;
      const node = selected && others.length === 0 ? flow.getInternalNode(selected) : undefined;
      if (!node) return;
      const box = {
        ...node.internals.positionAbsolute,
        width: node.measured.width ?? 0,
        height: node.measured.height ?? 0,
      };
      const moved = keptInView(flow.getViewport(), box, seen, { width, height });
      if (moved) void flow.setViewport(moved);
    });
    return () => cancelAnimationFrame(frame);
  }, [flow, width, height]);
}
