import type { ColorName } from "../../kernel/ui/look/themeColors.js";

export interface Curve {
  ring: "rate" | "p50" | "p99" | "waited" | "ran" | "expired" | "due";
  /** Before the figure in the title; "" for none. */
  label: string;
  color: ColorName;
  /** Filled down to zero. */
  area?: boolean;
  /** Where a point stands for several seconds: their worst, not their mean. */
  worst?: boolean;
  dashed?: boolean;
}

// Constants, not made in a component: a chart is made anew when its curves change identity.

export const RATE: Curve[] = [{ ring: "rate", label: "", color: "pool-1", area: true }];
export const LATENCY: Curve[] = [
  { ring: "p50", label: "p50", color: "pool-1" },
  { ring: "p99", label: "p99", color: "bad", worst: true },
];
/** Of services and stages: what is served and what is not, what is waited and what is run. */
export const SERVED: Curve[] = [
  { ring: "rate", label: "served", color: "pool-1", area: true },
  { ring: "expired", label: "expired", color: "warn" },
];
/** Amber and red are one colour to some eyes: so one of the two is dashed. */
export const PARTS: Curve[] = [
  { ring: "ran", label: "ran", color: "pool-1" },
  { ring: "waited", label: "waited", color: "warn", dashed: true },
  { ring: "p99", label: "p99", color: "bad", worst: true },
];
export const MEMORY: Curve[] = [{ ring: "p50", label: "", color: "pool-1", area: true, worst: true }];
export const THREADS: Curve[] = [{ ring: "p99", label: "", color: "pool-3", worst: true }];
export const LOAD: Curve[] = [{ ring: "rate", label: "", color: "ok", area: true }];
export const QUEUE: Curve[] = [
  { ring: "p50", label: "waiting", color: "warn", worst: true },
  { ring: "p99", label: "callers blocked", color: "blocked", worst: true },
];
/** Beside the others of a chart while a load says how much is due. */
export const DUE: Curve = { ring: "due", label: "due", color: "text-2", dashed: true };
