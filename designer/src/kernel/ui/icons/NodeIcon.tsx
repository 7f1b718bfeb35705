import {
  Blocks,
  Combine,
  Database,
  FileOutput,
  Filter,
  Gauge,
  GitBranch,
  Hourglass,
  Globe,
  PhoneOutgoing,
  Dices,
  PackageOpen,
  RefreshCw,
  ScrollText,
  Sigma,
  Braces,
  Archive,
  type LucideIcon,
} from "lucide-react";
import type { NodeManifest } from "@penstock/codegen/manifests";

type Category = NodeManifest["category"];

/** By the name in a manifest; a project's own node with another name has building blocks. */
const ICONS: Record<string, LucideIcon> = {
  filter: Filter,
  branch: GitBranch,
  map: Braces,
  delay: Hourglass,
  "rate-limit": Gauge,
  window: Sigma,
  batch: PackageOpen,
  combine: Combine,
  cache: Archive,
  retry: RefreshCw,
  random: Dices,
  log: ScrollText,
  "json-lines-out": FileOutput,
  "http-request": Globe,
  "twirp-call": PhoneOutgoing,
  "sql-query": Database,
};

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

export interface NodeIconProps {
  /** Of the manifest. */
  icon: string;
  color: string;
  /** In a tinted square, as on nodes. */
  tile?: boolean;
}

export function NodeIcon({ icon, color, tile }: NodeIconProps) {
  const Icon = (Object.hasOwn(ICONS, icon) ? ICONS[icon] : undefined) ?? Blocks;
  const style = { "--kind": color } as React.CSSProperties;
  const drawn = <Icon size={14} strokeWidth={1.75} aria-hidden className="kind-icon" style={style} />;
  return tile ? (
    <span className="kind-tile" style={style}>
      {drawn}
    </span>
  ) : (
    drawn
  );
}
