import type { ReactFlowInstance } from "@xyflow/react";
import type { CanvasEdge } from "../toCanvasEdges.js";
import type { CanvasNode } from "../toCanvasNodes.js";

/** The canvas on screen, for commands that need it; undefined while another view is shown. */
let instance: ReactFlowInstance<CanvasNode, CanvasEdge> | undefined;
let pointer: { x: number; y: number } | undefined;

export const setCanvas = (canvas: ReactFlowInstance<CanvasNode, CanvasEdge> | undefined): void => {
  instance = canvas;
};
export const canvas = (): ReactFlowInstance<CanvasNode, CanvasEdge> | undefined => instance;

/** Remembers where the pointer is over the canvas (client pixels); undefined once it left. */
export const setPointer = (at: { x: number; y: number } | undefined): void => {
  pointer = at;
};

/** Whether the pointer is on the canvas. */
export const isPointing = (): boolean => pointer !== undefined;

/** Client position at which something new appears: the pointer, else the middle of the canvas. */
export function pointerOrMiddle(): { x: number; y: number } {
  if (pointer) return pointer;
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: 0, y: 0 };
}

/** Canvas coordinates of a client position; the position itself while there is no canvas. */
export const toCanvasPoint = (at: { x: number; y: number }): { x: number; y: number } =>
  instance ? instance.screenToFlowPosition(at) : at;

/** Whether a canvas point is on the screen; what is not drawn is in nobody's way. */
export function isInView(point: { x: number; y: number }): boolean {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  if (!instance || !box) return true;
  const { x, y } = instance.flowToScreenPosition(point);
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** The middle of the canvas, each time a little off the last one. */
let asked = 0;
export function middleOfCanvas(): { x: number; y: number } {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  const middle = box
    ? { x: box.left + box.width / 2 - 90, y: box.top + box.height / 2 - 40 }
    : { x: 0, y: 0 };
  const step = (asked++ % 5) * 33;
  const at = toCanvasPoint(middle);
  return { x: at.x + step, y: at.y + step };
}
