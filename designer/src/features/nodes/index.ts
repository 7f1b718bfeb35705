import type { Feature } from "../../registry/feature.js";
import { NodePalette } from "./NodePalette.js";
import { NodeSections } from "./NodeSections.js";
import { SourceForm } from "./SourceForm.js";

/** What manifests describe: nodes whose C++ is generated, with their palette, and the settings of nodes and sources. */
export const nodes: Feature = {
  name: "nodes",
  Palette: NodePalette,
  sections: { node: NodeSections, source: SourceForm },
};
