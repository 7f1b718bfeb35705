import type { LoadCurve } from "./LoadChart.js";

// Constants, not made in a component: a chart is made anew when its curves change identity.

export const THROUGHPUT: LoadCurve[] = [
  { label: "done", color: "pool-1", area: true, of: ({ completed }) => completed },
  { label: "due", color: "text-2", dashed: true, of: ({ target }) => target },
  { label: "failed", color: "bad", seldom: true, of: ({ failed }) => failed },
];
export const LATENCY: LoadCurve[] = [
  { label: "p50", color: "pool-1", of: ({ p50Us }) => p50Us },
  { label: "p99", color: "bad", of: ({ p99Us }) => p99Us },
];
