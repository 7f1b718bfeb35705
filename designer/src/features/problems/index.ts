import type { Feature } from "../../registry/feature.js";
import { drawnFixes } from "./drawnFixes.js";
import { ProblemsPanel } from "./ProblemsPanel.js";

/** What is wrong, and what makes it right. */
export const problems: Feature = {
  name: "problems",
  fixes: drawnFixes,
  dock: [
    {
      tab: "problems",
      label: "Problems",
      what: "The problems",
      counts: (all) => ({
        count: all.length,
        tone: all.some(({ severity }) => severity === "error") ? "bad" : "neutral",
      }),
      Panel: ProblemsPanel,
    },
  ],
};
