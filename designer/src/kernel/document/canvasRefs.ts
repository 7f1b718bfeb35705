import { parseNodeRef } from "@penstock/codegen/topology";

export type CanvasRef =
  | { kind: "service"; service: string }
  | { kind: "stage"; flow: string; stage: string }
  | { kind: "flow"; flow: string }
  | { kind: "bundle"; bundle: string };

/** What a canvas node stands for; undefined for things that are not drawn on the canvas. */
export function parseCanvasRef(ref: string): CanvasRef | undefined {
  const parsed = parseNodeRef(ref);
  const [first, second] = parsed?.path ?? [];
  if (!parsed || !first) return undefined;
  if (parsed.kind === "service") return { kind: "service", service: first };
  if (parsed.kind === "stage" && second) return { kind: "stage", flow: first, stage: second };
  if (parsed.kind === "flow") return { kind: "flow", flow: first };
  if (parsed.kind === "bundle") return { kind: "bundle", bundle: first };
  return undefined;
}

/** Handles of a node: flow ports left and right, call ports top and bottom. */
export const PORTS = {
  flowIn: "flow-in",
  flowOut: "flow-out",
  callIn: "call-in",
  callOut: "call-out",
} as const;
