import { getViewportForBounds, type Viewport } from "@xyflow/system";
import type { Box, Size } from "../geometry/box.js";
import { canvas } from "./instance.js";
import type { CanvasNode } from "../toCanvasNodes.js";

export const MIN_ZOOM = 0.04;

/** The drawing in the middle, clear of the buttons along the lower edge, never enlarged. */
const FIT = { padding: { x: "26px", top: "26px", bottom: "64px" }, maxZoom: 1 } as const;

/** Where the last fit left the canvas: as long as it is there, nobody has moved it. */
let fitted: Viewport | undefined;

/** Where a canvas of this size begins: as a fit would leave it, without a picture of anything before it. */
export function firstViewport(nodes: readonly CanvasNode[], { width, height }: Size): Viewport {
  // What is in a bundle lies within its border.
  const boxes = nodes.filter((node) => node.parentId === undefined);
  if (boxes.length === 0 || width === 0 || height === 0) return { x: 0, y: 0, zoom: 1 };
  const x = Math.min(...boxes.map((node) => node.position.x));
  const y = Math.min(...boxes.map((node) => node.position.y));
  const right = Math.max(...boxes.map((node) => node.position.x + (node.width ?? 0)));
  const bottom = Math.max(...boxes.map((node) => node.position.y + (node.height ?? 0)));
  const bounds = { x, y, width: right - x, height: bottom - y };
  fitted = getViewportForBounds(bounds, width, height, MIN_ZOOM, FIT.maxZoom, FIT.padding);
  return fitted;
}

/** Brings the whole drawing into view, in `duration` milliseconds. */
export async function fit(duration = 0): Promise<void> {
  const flow = canvas();
  if (!flow) return;
  const still = duration === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
  await flow.fitView(still ? FIT : { ...FIT, duration });
  fitted = flow.getViewport();
}

/** Brings a part of the drawing into view, in `duration` milliseconds. */
export async function fitTo(box: Box, duration: number): Promise<void> {
  const frame = document.querySelector(".react-flow")?.getBoundingClientRect();
  if (!frame) return;
  const view = getViewportForBounds(box, frame.width, frame.height, MIN_ZOOM, FIT.maxZoom, FIT.padding);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  await canvas()?.setViewport(view, still ? {} : { duration });
}

/** Nobody has moved the canvas since the last fit. */
export const stillFits = (): boolean => {
  const now = canvas()?.getViewport();
  return (
    now !== undefined &&
    fitted !== undefined &&
    now.x === fitted.x &&
    now.y === fitted.y &&
    now.zoom === fitted.zoom
  );
};
