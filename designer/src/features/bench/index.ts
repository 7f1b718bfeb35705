import { onceLoaded } from "../../kernel/ui/index.js";
import { isMeasuring, projectStore } from "../../kernel/server/projectStore.js";
import { documentStore } from "../../kernel/document/index.js";
import { isIdle } from "../../kernel/run/runActions.js";
import type { Feature } from "../../registry/feature.js";
import { cancelMeasuring, measure } from "./benchActions.js";
import { BenchHead } from "./BenchHead.js";

const BenchPanel = onceLoaded(() => import("./BenchPanel.js").then((all) => all.BenchPanel));

/** The one service that is selected. */
const selectedService = (): string | undefined => {
  const { selection } = documentStore.getState();
  const [ref = ""] = selection.length === 1 ? selection : [];
  return ref.startsWith("service:") ? ref.slice("service:".length) : undefined;
};

/** Benchmarks of services: their runs and figures. */
export const bench: Feature = {
  name: "bench",
  commands: [
    { name: "run.bench", label: "Run the benchmarks", group: "run", when: isIdle, perform: () => measure() },
    {
      name: "run.bench.service",
      label: "Run the benchmark of the selected service",
      group: "run",
      when: () => isIdle() && selectedService() !== undefined,
      perform: () => measure(selectedService()),
    },
    {
      name: "run.bench.cancel",
      label: "Cancel the benchmarks",
      group: "run",
      when: () => isMeasuring(projectStore.getState()),
      perform: cancelMeasuring,
    },
  ],
  dock: [
    {
      tab: "bench",
      label: "Bench",
      what: "The benchmarks",
      busy: isMeasuring,
      Head: BenchHead,
      Panel: BenchPanel,
    },
  ],
};
