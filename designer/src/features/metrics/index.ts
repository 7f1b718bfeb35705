import { lazy } from "react";
import type { Feature } from "../../registry/feature.js";
import { MetricsHead } from "./MetricsHead.js";

const MetricsPanel = lazy(() => import("./MetricsPanel.js").then((all) => ({ default: all.MetricsPanel })));

/** Curves of what is selected. */
export const metrics: Feature = {
  name: "metrics",
  dock: [{ tab: "metrics", label: "Metrics", what: "The chart", Head: MetricsHead, Panel: MetricsPanel }],
};
