import type { Feature } from "../../registry/feature.js";
import { MadeFields } from "./MadeFields.js";
import { NodePalette } from "./NodePalette.js";
import { NodeSections } from "./NodeSections.js";

/** Nodes whose C++ is generated: their palette and their settings. */
export const nodes: Feature = {
  name: "nodes",
  Palette: NodePalette,
  sections: { node: NodeSections, source: MadeFields },
};
