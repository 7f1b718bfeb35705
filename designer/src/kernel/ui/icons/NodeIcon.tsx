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
