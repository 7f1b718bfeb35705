import { onceLoaded } from "../../kernel/ui/index.js";
import type { Feature } from "../../registry/feature.js";
import { MetricsHead } from "./MetricsHead.js";

const MetricsPanel = onceLoaded(() => import("./MetricsPanel.js").then((all) => all.MetricsPanel));

/** Curves of what is selected. */
export const metrics: Feature = {
  name: "metrics",
  dock: [{ tab: "metrics", label: "Metrics", what: "The chart", Head: MetricsHead, Panel: MetricsPanel }],
};
