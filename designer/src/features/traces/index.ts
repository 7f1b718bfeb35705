import type { Feature } from "../../registry/feature.js";
import { TracePanel } from "./TracePanel.js";

/** Single events on their way. */
export const traces: Feature = {
  name: "traces",
  dock: [{ tab: "trace", label: "Trace", what: "The trace", Panel: TracePanel }],
};
