import { kindColor } from "../ui/index.js";
import type { CanvasNode } from "./toCanvasNodes.js";

/** Colour of a node on the map: its kind; bundles only as a border. */
export const minimapColor = (node: CanvasNode): string => {
  if (node.type === "bundle") return "var(--minimap-bundle)";
  return node.data.mark === "error" ? "var(--bad)" : kindColor(node.data.icon);
};
