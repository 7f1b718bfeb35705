import { useStore as useFlowStore, type FitViewOptions, type Viewport } from "@xyflow/react";
import { useEffect } from "react";
import { canvas } from "./instance.js";

/** The drawing in the middle, clear of the buttons along the lower edge, never enlarged. */
const FIT: FitViewOptions = { padding: { x: "26px", top: "26px", bottom: "64px" }, maxZoom: 1 };

/** Where the last fit left the canvas: as long as it is there, nobody has moved it. */
let fitted: Viewport | undefined;

/** Brings the whole drawing into view, in `duration` milliseconds. */
export async function fit(duration = 0): Promise<void> {
  const flow = canvas();
  if (!flow) return;
  const still = duration === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
  await flow.fitView(still ? FIT : { ...FIT, duration });
  fitted = flow.getViewport();
}

const stillFits = (): boolean => {
  const now = canvas()?.getViewport();
  return (
    now !== undefined &&
    fitted !== undefined &&
    now.x === fitted.x &&
    now.y === fitted.y &&
    now.zoom === fitted.zoom
  );
};

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
