import {
  Box,
  Boxes,
  Braces,
  Cpu,
  Hourglass,
  Layers,
  List,
  Lock,
  Radio,
  ShieldAlert,
  Split,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { isSourceIcon, kindColor, type IconKind, type SourceIcon } from "./iconKind.js";
import { PICTURES } from "./pictures.js";

const ICONS: Record<Exclude<IconKind, SourceIcon>, LucideIcon> = {
  simple: Layers,
  "single-threaded": Lock,
  "sync-remote": Hourglass,
  "async-remote": Zap,
  "side-effect": Split,
  catch: ShieldAlert,
  bundle: Boxes,
  binary: Box,
  pool: Cpu,
  message: Braces,
  enum: List,
};

export interface KindIconProps {
  kind: IconKind;
  size?: number;
  /** In a tinted square, as on nodes. */
  tile?: boolean;
}

export function KindIcon({ kind, size = 14, tile }: KindIconProps) {
  // A source whose manifest names none of the pictures has that of a radio.
  const Icon = isSourceIcon(kind) ? (PICTURES[kind.slice("source:".length)] ?? Radio) : ICONS[kind];
  const style = { "--kind": kindColor(kind) } as React.CSSProperties;
  const drawn = <Icon size={size} strokeWidth={1.75} aria-hidden className="kind-icon" style={style} />;
  return tile ? (
    <span className="kind-tile" style={style}>
      {drawn}
    </span>
  ) : (
    drawn
  );
}
