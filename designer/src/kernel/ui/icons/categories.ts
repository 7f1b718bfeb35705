import type { NodeManifest } from "@penstock/codegen/manifests";

type Category = NodeManifest["category"];

/** Words and colours of the categories, in the order of the palette. */
export const CATEGORIES: readonly { category: Category; title: string; color: string }[] = [
  { category: "flow", title: "Flow", color: "var(--pool-1)" },
  { category: "data", title: "Data", color: "var(--pool-5)" },
  { category: "time", title: "Time", color: "var(--pool-2)" },
  { category: "calls", title: "Calls", color: "var(--pool-6)" },
  { category: "io", title: "In and out", color: "var(--pool-3)" },
];

export const categoryColor = (category: Category | undefined): string =>
  CATEGORIES.find((item) => item.category === category)?.color ?? "var(--text-2)";
