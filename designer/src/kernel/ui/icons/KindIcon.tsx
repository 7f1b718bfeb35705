import {
  Box,
  Boxes,
  Braces,
  Cpu,
  FileText,
  Globe,
  Hourglass,
  Layers,
  List,
  Lock,
  Plug,
  Radio,
  ShieldAlert,
  Split,
  Timer,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { kindColor, type IconKind } from "./kindColor.js";

const ICONS: Record<IconKind, LucideIcon> = {
  simple: Layers,
  "single-threaded": Lock,
  "sync-remote": Hourglass,
  "async-remote": Zap,
  "side-effect": Split,
  catch: ShieldAlert,
  rate: Timer,
  http: Globe,
  file: FileText,
  service: Plug,
  "own-source": Radio,
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
  const Icon = ICONS[kind];
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
