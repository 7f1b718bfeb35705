import { useStore as useFlowStore } from "@xyflow/react";
import { useEffect } from "react";
import { fit, stillFits } from "../../drawing/fit.js";

/** Fits again when the canvas changes its size (dock, code beside it, window), unless somebody moved. */
export function useKeepFit(): void {
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const frame = requestAnimationFrame(() => {
      if (stillFits()) void fit();
    });
    return () => cancelAnimationFrame(frame);
  }, [width, height]);
}
