import { onceLoaded } from "../../kernel/ui/index.js";
import { onProjectChange } from "../../kernel/server/projectState.js";
import type { Feature } from "../../registry/feature.js";
import { showNow } from "./metricsStore.js";
import { MetricsHead } from "./MetricsHead.js";

const MetricsPanel = onceLoaded(() => import("./MetricsPanel.js").then((all) => all.MetricsPanel));

/** Curves of what is selected. */
export const metrics: Feature = {
  name: "metrics",
  follow: [() => onProjectChange(showNow)],
  dock: [{ tab: "metrics", label: "Metrics", what: "The chart", Head: MetricsHead, Panel: MetricsPanel }],
};
