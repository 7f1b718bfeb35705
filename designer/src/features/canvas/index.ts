import type { Feature } from "../../registry/feature.js";
import { FlowView } from "./FlowView.js";

/** The drawing. */
export const canvas: Feature = {
  name: "canvas",
  view: { view: "flow", what: "The drawing", View: FlowView },
};
